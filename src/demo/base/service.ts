import { createClient } from "@workspace-board-service/client";
import { createSession } from "@workspace-board-service/client/store";

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

/** The message of a failed call. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
