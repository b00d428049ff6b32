import type { Query } from "../../../src/platform/db/query.ts";
import { sql } from "../../../src/platform/db/sql.ts";

/** Takes numbers of the log of a workspace, in a transaction that writes no events. */
export const takeNumbers = (query: Query, workspace: string, count: number) =>
  query<{ id: bigint }>(sql`UPDATE logs l SET last = last + ${count}
    FROM workspaces w WHERE w.id = l."workspaceId" AND w."publicId" = ${workspace} RETURNING w.id`);
