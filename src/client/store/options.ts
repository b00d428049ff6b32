import type { Failure, Persistence } from "./types.ts";

/** The options of a store. */
export type StoreOptions = {
  /** Where unsent changes and copies of boards are stored: in memory (default), or for the site. */
  outbox?: "memory" | "indexeddb" | Persistence;
  /** Names the database and the lock of the tabs: one per signed-in user (`boards`). */
  name?: string;
  /** The signed-in user: the author of comments that are not sent yet. */
  user?: { publicId: string; name: string; image: string | null };
  /** Called once when the browser cannot store changes (`console.warn`). */
  onWarning?: (message: string, cause: unknown) => void;
  /** Called when the service refuses a change. It was rolled back. */
  onFailure?: (failure: Failure) => void;
};
