import { generateNKeysBetween } from "fractional-indexing";
import type { Query } from "../../../platform/db/query.ts";
import { sql } from "../../../platform/db/sql.ts";

const neighbours = (listId: bigint, after: bigint | null, before: bigint | null) =>
  sql`SELECT
    (SELECT position FROM cards WHERE id = ${after} AND "listId" = ${listId} AND "deletedAt" IS NULL) AS after,
    (SELECT position FROM cards WHERE id = ${before} AND "listId" = ${listId} AND "deletedAt" IS NULL) AS before`;
const next = `SELECT min(position) AS position FROM cards WHERE "listId" = $1 AND "deletedAt" IS NULL AND position > $2`;
const previous = `SELECT max(position) AS position FROM cards WHERE "listId" = $1 AND "deletedAt" IS NULL AND ($2::text IS NULL OR position < $2)`;

type Gap = { after: string | null; before: string | null };

/**
 * Keys for `count` cards of a list that is locked: right after the card that they follow in the source, or before the one that follows
 * them, wherever people have put those meanwhile; at the end when neither is there.
 */
export async function keysBeside(
  query: Query,
  listId: bigint,
  { after, before }: { after: bigint | null; before: bigint | null },
  count: number,
): Promise<string[]> {
  const [gap] = await query<Gap>(neighbours(listId, after, before));
  const position = async (sql: string, of: string | null) =>
    (await query<{ position: string | null }>(sql, [listId, of]))[0]?.position ?? null;
  const low = gap?.after ?? null;
  if (low !== null) return generateNKeysBetween(low, await position(next, low), count);
  const high = gap?.before ?? null;
  return generateNKeysBetween(await position(previous, high), high, count);
}

/** The last keys among the live children of each parent, and how many there are. */
export async function lastOf(
  query: Query,
  table: "checklists" | "checklist_items",
  parents: bigint[],
): Promise<Map<bigint, { position: string | null; count: number }>> {
  const parent = table === "checklists" ? "cardId" : "checklistId";
  const rows = await query<{ parent: bigint; position: string; count: bigint }>(
    `SELECT "${parent}" AS parent, max(position) AS position, count(*) AS count FROM ${table}
     WHERE "${parent}" = ANY($1::bigint[]) AND "deletedAt" IS NULL GROUP BY 1`,
    [parents],
  );
  return new Map(
    rows.map((row) => [row.parent, { position: row.position, count: Number(row.count) }]),
  );
}
