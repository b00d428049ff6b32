import type { Query } from "../../platform/db/query.ts";
import type { Workspace } from "../../platform/db/rows.ts";
import type { Lines } from "./lines.ts";
import type * as statements from "./statements.ts";

/** Which parts of cards a snapshot shows, by their names. */
export type Parts = Readonly<Record<string, boolean>>;

/** What a snapshot shows: a workspace, some of its boards, and some parts of their cards. */
export type SnapshotSource = {
  workspace: Workspace;
  boards: statements.BoardSelection;
  parts: Parts;
  showEmails: boolean;
  /** The base URL of the REST API. */
  api: string;
};

/** Where a snapshot is read from, what it shows, and what it has written. */
export type SnapshotWriter = { query: Query; source: SnapshotSource; lines: Lines };
