import type { Query } from "../../platform/db/query.ts";

/** Beyond so many rows a table is not counted: what the database's own statistics say of it is enough. */
const countedRows = 100_000;

/** Every resource: its table, and the column that is set once a row is no longer live. */
const tables = {
  users: ["users", "deletedAt"],
  sessions: ["sessions", "revokedAt"],
  apiKeys: ["api_keys", "revokedAt"],
  workspaces: ["workspaces", "deletedAt"],
  members: ["members", "removedAt"],
  roles: ["roles"],
  invites: ["invites", "deactivatedAt"],
  boards: ["boards", "deletedAt"],
  lists: ["lists", "deletedAt"],
  cards: ["cards", "deletedAt"],
  labels: ["labels", "deletedAt"],
  checklists: ["checklists", "deletedAt"],
  checklistItems: ["checklist_items", "deletedAt"],
  comments: ["comments", "deletedAt"],
  attachments: ["attachments", "deletedAt"],
  events: ["events"],
  notifications: ["notifications"],
  webhooks: ["webhooks", "deletedAt"],
  deliveries: ["deliveries"],
  integrations: ["integrations"],
  imports: ["imports"],
  jobs: ["jobs", "finishedAt"],
} as const satisfies Record<string, readonly [table: string, gone?: string]>;

/** The name of a resource that is counted. */
export type Counted = keyof typeof tables;

const liveShare = (table: string, gone: string) =>
  `coalesce((SELECT null_frac FROM pg_stats WHERE schemaname = current_schema AND tablename = '${table}' AND attname = '${gone}'), 1)`;

const selects = Object.entries<readonly [string, string?]>(tables).map(([name, [table, gone]]) => {
  const exact = `SELECT count(*) FROM ${table}${gone === undefined ? "" : ` WHERE "${gone}" IS NULL`}`;
  const estimate = gone === undefined ? "reltuples" : `reltuples * ${liveShare(table, gone)}`;
  // Neither branch is worked out unless it is needed.
  return `SELECT '${name}' AS name, reltuples > $1::float8 AS "isEstimate",
      CASE WHEN reltuples > $1::float8 THEN (${estimate})::bigint ELSE (${exact}) END AS count
    FROM pg_class WHERE oid = '${table}'::regclass`;
});

/** Counts what is live of every resource in one statement; large tables are estimated, and named in `estimated`. */
export async function countAll(query: Query, most = countedRows) {
  const rows = await query<{ name: Counted; isEstimate: boolean; count: bigint }>(
    selects.join(" UNION ALL "),
    [most],
  );
  return {
    counts: new Map(rows.map(({ name, count }) => [name, Number(count)])),
    estimated: rows.flatMap(({ name, isEstimate }) => (isEstimate ? [name] : [])),
  };
}
