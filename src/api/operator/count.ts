import { countedTables } from "../../contract/fields/part.ts";
import { boardParts } from "../../contract/resources/board-parts.ts";
import { cardParts } from "../../contract/resources/card-parts.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";

/** Tables with more rows are estimated from the database's statistics. */
const countedRows = 100_000;

/** Every resource: its table, and the column that is set when a row is no longer live. */
const tables = {
  users: ["users", "deletedAt"],
  sessions: ["sessions", "revokedAt"],
  apiKeys: ["api_keys", "revokedAt"],
  workspaces: ["workspaces", "deletedAt"],
  members: ["members", "removedAt"],
  roles: ["roles"],
  invites: ["invites", "deactivatedAt"],
  boards: ["boards", "deletedAt"],
  ...countedTables(boardParts),
  cards: ["cards", "deletedAt"],
  views: ["views", "deletedAt"],
  ...countedTables(cardParts),
  events: ["events"],
  notifications: ["notifications"],
  webhooks: ["webhooks", "deletedAt"],
  deliveries: ["deliveries"],
  integrations: ["integrations"],
  imports: ["imports"],
  jobs: ["jobs", "finishedAt"],
} as const;

type Counted = keyof typeof tables;

/** Makes a value for every resource; `valueOf` gets its name in words. */
export const ofCounted = <Value>(valueOf: (resource: string) => Value): Record<Counted, Value> =>
  Object.assign({}, ...Object.keys(tables).map((name) => ({ [name]: valueOf(words(name)) })));

const words = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace("api", "API");

const liveShare = (table: string, endedAt: string) =>
  sql`coalesce((SELECT null_frac FROM pg_stats WHERE schemaname = current_schema
    AND tablename = ${table} AND attname = ${endedAt}), 1)`;

function countOf(name: string, table: string, endedAt: string | undefined, maxCounted: number) {
  const live = endedAt === undefined ? sql.empty : sql`WHERE ${sql.identifier(endedAt)} IS NULL`;
  const estimate =
    endedAt === undefined ? sql`reltuples` : sql`reltuples * ${liveShare(table, endedAt)}`;
  // CASE evaluates only one branch.
  return sql`SELECT ${name}::text AS name, reltuples > ${maxCounted}::float8 AS "isEstimate",
      CASE WHEN reltuples > ${maxCounted}::float8 THEN (${estimate})::bigint
        ELSE (SELECT count(*) FROM ${sql.identifier(table)} ${live}) END AS count
    FROM pg_class WHERE oid = ${table}::text::regclass`;
}

/** Counts the live rows of every resource. Large tables are estimated and named in `estimated`. */
export async function countAll(query: Query, maxCounted = countedRows) {
  const selects = Object.entries<readonly [string, string?]>(tables).map(
    ([name, [table, endedAt]]) => countOf(name, table, endedAt, maxCounted),
  );
  const rows = await query<{ name: Counted; isEstimate: boolean; count: bigint }>(
    sql.join(selects, sql` UNION ALL `),
  );
  return {
    counts: new Map(rows.map(({ name, count }) => [name, Number(count)])),
    estimated: rows.flatMap(({ name, isEstimate }) => (isEstimate ? [name] : [])),
  };
}
