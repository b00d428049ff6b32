import { BoardServiceError, createClient } from "@workspace-board-service/client";
import { createStore, type Store } from "@workspace-board-service/client/store";

// The page is at /demo, so the service is at the folder above it.
const url = new URL(".", location.href).href;
const userKey = `${url} demo user`;

/** The signed-in user. It is stored, so that the page starts without a network. */
export type User = { publicId: string; name: string };

/** The client of the page. Its session is shared by all tabs. */
export const boards = createClient({
  url,
  auth: { storage: "local" },
  onSignedOut: () => endSession(),
});

let session: { user: User; store: Store } | undefined;
const listeners = new Set<() => void>();

/** The user and the store of boards; undefined before sign-in. */
export const currentSession = () => session;

/** Calls a function when a user has signed in or out. */
export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Starts the session of a user: the boards and the unsent changes of each user are apart. */
export function startSession({ publicId, name }: User): void {
  const user = { publicId, name };
  localStorage.setItem(userKey, JSON.stringify(user));
  const store = createStore(boards, { outbox: "indexeddb", name: `boards ${publicId}` });
  session = { user, store };
  for (const listener of listeners) listener();
}

/** Continues the session of an earlier visit. */
export function resumeSession(): void {
  const stored = localStorage.getItem(userKey);
  if (stored !== null) startSession(JSON.parse(stored) as User);
}

/** Ends the session: nothing of its boards stays in the browser. */
function endSession(): void {
  localStorage.removeItem(userKey);
  const ended = session;
  session = undefined;
  void ended?.store.clear().then(() => ended.store.close());
  for (const listener of listeners) listener();
}

/** The message of a failed call. */
export const messageOf = (error: unknown): string =>
  (error instanceof BoardServiceError && error.issues[0]?.message) || String(error);
