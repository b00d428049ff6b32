import type { Entry } from "./types.ts";

/** What the tabs of a site send each other about their changes. */
export type TabMessage =
  | { type: "added" | "failed"; entry: Entry }
  | { type: "accepted"; id: string; until: string | null }
  | { type: "removed"; id: string }
  | { type: "purged"; boardPublicId: string | undefined };
