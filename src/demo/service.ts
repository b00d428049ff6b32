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
  stream: { shareAcrossTabs: true },
  onSignedOut: () => endSession(),
});

let isSigningOut = false;
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
  storeUser(user);
  const store = createStore(boards, { outbox: "indexeddb", name: `boards ${publicId}` });
  session = { user, store };
  for (const listener of listeners) listener();
}

/** Continues the session of an earlier visit. */
export function resumeSession(): void {
  const user = storedUser();
  if (user !== undefined) startSession(user);
}

/** Signs out: nothing of the user's boards stays in the browser. */
export async function signOut(): Promise<void> {
  isSigningOut = true;
  try {
    await boards.account.signOut();
  } finally {
    isSigningOut = false;
  }
}

/** Shows the sign-in. Unsent changes of a session that was ended wait for the user's next one. */
export function endSession(): void {
  storeUser(undefined);
  const ended = session;
  session = undefined;
  void (isSigningOut ? ended?.store.clear() : Promise.resolve())?.then(() => ended?.store.close());
  for (const listener of listeners) listener();
}

// Another tab has signed in or out: this one must not send changes as another user.
addEventListener("storage", ({ key }) => {
  const isUser = key === userKey || key === null;
  if (isUser && storedUser()?.publicId !== session?.user.publicId) location.reload();
});

// A browser that blocks storage throws. The page then works until it is closed.
function storedUser(): User | undefined {
  try {
    return (JSON.parse(localStorage.getItem(userKey) ?? "null") as User | null) ?? undefined;
  } catch {
    return undefined;
  }
}

function storeUser(user: User | undefined): void {
  try {
    if (user === undefined) localStorage.removeItem(userKey);
    else localStorage.setItem(userKey, JSON.stringify(user));
  } catch {
    // The client warns.
  }
}

/** The message of a failed call. */
export const messageOf = (error: unknown): string =>
  (error instanceof BoardServiceError && error.issues[0]?.message) || String(error);
