import { createClient } from "@workspace-board-service/client";
import { createSession } from "@workspace-board-service/client/store";
import { asksForSignIn, replace } from "./route.ts";

// The page is at /demo, so the service is at the folder above it.
const url = new URL(".", location.href).href;

/** The client of the page. Its session is shared by all tabs. */
export const boards = createClient({
  url,
  auth: { storage: "local" },
  stream: { shareAcrossTabs: true },
});

/** The signed-in user, with the store of the user's boards. */
export const session = createSession(boards, { name: `${url} demo` });

/** Ends the sign-in through a provider that opened this page: why it failed. */
export const returned: Promise<unknown> = session.finishSignIn().then(
  (isSignedIn) => {
    if (isSignedIn && asksForSignIn()) replace();
    return undefined;
  },
  (error: unknown) => error,
);

/** The message of a failed call. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
