import { setImmediate } from "node:timers/promises";
import { generateKeyBetween, generateNKeysBetween } from "fractional-indexing";
import { conflict } from "../platform/errors.ts";
import type { Query } from "../platform/db/query.ts";
import { sql, type Sql } from "../platform/db/sql.ts";

/** The ordered kinds, with their parents. */
const ordered = {
  list: { table: "lists", parent: "boardId", hides: true },
  card: { table: "cards", parent: "listId", hides: true },
  checklist: { table: "checklists", parent: "cardId", hides: false },
  checklistItem: { table: "checklist_items", parent: "checklistId", hides: false },
} as const;

/** Where to put a resource: an index, or a neighbour by public id; by default the end. */
export type Placement = { index?: number | undefined } | { before: string } | { after: string };

/** A longer key causes a rebalance of its parent. */
export const maxPositionLength = 40;

/** Up to this length a rebalance waits until no other transaction has locked a sibling. */
export const deferrableLength = 400;

/** How many keys are made before other calls are served. */
const keysPerSlice = 5_000;

type Kind = keyof typeof ordered;

/** The neighbours of a new key; `low` and `high` are the neighbours that are not archived. */
export type Gap = {
  a: string | null;
  b: string | null;
  low: string | null;
  high: string | null;
  /** How many siblings that are not archived come before it. */
  index: bigint;
};

/**
 * The key of a placement in a parent that the caller has locked.
 *
 * `moving` is not counted, nor are archived siblings. `found` is the gap, if it was read. Throws
 * 409 for an unknown neighbour.
 */
export async function positionAt(
  query: Query,
  kind: Kind,
  parentId: bigint,
  placement: Placement,
  moving: { id: bigint; position: string } | null = null,
  found?: Gap,
): Promise<string> {
  const gap = found ?? (await gapFor(query, kind, parentId, placement, moving?.id ?? 0n));
  const { a, b, low, high } = gap;
  if (
    moving !== null &&
    (low === null || low < moving.position) &&
    (high === null || moving.position < high)
  ) {
    return moving.position;
  }
  const key = generateKeyBetween(a, b);
  if (key.length <= maxPositionLength) return key;
  if (!(await rebalance(query, kind, parentId, key.length <= deferrableLength))) return key;
  const again = await gapFor(query, kind, parentId, placement, moving?.id ?? 0n);
  return generateKeyBetween(again.a, again.b);
}

/** New keys at the end of a parent that the caller has locked. */
export async function appendPositions(
  query: Query,
  kind: Kind,
  parentId: bigint,
  count: number,
): Promise<string[]> {
  const { a } = await gapFor(query, kind, parentId, {}, 0n);
  const keys: string[] = [];
  while (keys.length < count) {
    if (keys.length > 0) await setImmediate();
    const more = Math.min(keysPerSlice, count - keys.length);
    keys.push(...generateNKeysBetween(keys.at(-1) ?? a, null, more));
  }
  return keys;
}

/** SQL: the live children of a parent, and those of them that are not archived. */
function childrenOf(
  kind: Kind,
  parentId: bigint | Sql,
  moving: bigint | Sql,
): { live: Sql; visible: Sql } {
  const { table, parent, hides } = ordered[kind];
  const live = sql`FROM ${sql.identifier(table)} WHERE ${sql.identifier(parent)} = ${parentId}
    AND "deletedAt" IS NULL AND id <> ${moving}`;
  return { live, visible: hides ? sql`${live} AND "archivedAt" IS NULL` : live };
}

/** Reads the gap of a placement; ids may be given as SQL. Throws 409 for an unknown neighbour. */
export async function gapFor(
  query: Query,
  kind: Kind,
  parentId: bigint | Sql,
  placement: Placement,
  moving: bigint | Sql,
): Promise<Gap> {
  const { live, visible } = childrenOf(kind, parentId, moving);
  if ("before" in placement || "after" in placement) {
    const [found] = await query<Gap>(gapBeside(placement, live, visible));
    if (found !== undefined) return found;
    const side = "before" in placement ? "before" : "after";
    const field = `${side}${kind === "card" ? "Card" : "List"}PublicId`;
    const parent = kind === "card" ? "list" : "board";
    throw conflict("anchor_missing", `The neighbour is not in the target ${parent}.`, [field]);
  }
  const { index } = placement;
  const [found] = index === undefined ? [] : await query<Gap>(gapAt(index, live, visible));
  if (found !== undefined) return found;
  const [end] = await query<Gap>(sql`
    SELECT (SELECT max(position) ${live}) AS a, NULL::text AS b,
      (SELECT max(position) ${visible}) AS low, NULL::text AS high,
      (SELECT count(*) ${visible}) AS index`);
  return end ?? { a: null, b: null, low: null, high: null, index: 0n };
}

/** SQL: the gap beside a neighbour; no row when the neighbour is not among the children. */
function gapBeside(
  placement: { before: string } | { after: string },
  live: Sql,
  visible: Sql,
): Sql {
  const [anchor, a, b, isBefore] =
    "before" in placement
      ? [
          placement.before,
          sql`(SELECT max(position) ${live} AND position < at.position)`,
          sql`at.position`,
          sql`<`,
        ]
      : [
          placement.after,
          sql`at.position`,
          sql`(SELECT min(position) ${live} AND position > at.position)`,
          sql`<=`,
        ];
  return sql`SELECT ${a} AS a, ${b} AS b, ${a} AS low, ${b} AS high,
      (SELECT count(*) ${visible} AND position > ''
        AND position ${isBefore} at.position) AS index
    FROM (SELECT position ${live} AND "publicId" = ${anchor}) AS at`;
}

/** SQL: the gap before the child with an index; no row when there are fewer children. */
const gapAt = (index: number, live: Sql, visible: Sql): Sql =>
  index === 0
    ? sql`SELECT NULL::text AS a, (SELECT min(position) ${live}) AS b,
        NULL::text AS low, (SELECT min(position) ${visible}) AS high, 0::bigint AS index`
    : sql`SELECT at.position AS a,
        (SELECT min(position) ${live} AND position > at.position) AS b,
        at.position AS low,
        (SELECT min(position) ${visible} AND position > at.position) AS high,
        ${BigInt(index)}::bigint AS index
      FROM (SELECT position ${visible} ORDER BY position
        OFFSET ${BigInt(index - 1)}::bigint LIMIT 1) AS at`;

/**
 * Gives all live children of a parent short keys, behind the old ones so that no two are equal.
 *
 * A move locks its resource before the parent: waiting for children with the parent locked could
 * deadlock. A deferrable rebalance returns false when a child is locked.
 */
async function rebalance(query: Query, kind: Kind, parentId: bigint, isDeferrable: boolean) {
  const table = sql.identifier(ordered[kind].table);
  const { live } = childrenOf(kind, parentId, 0n);
  const skipped = isDeferrable ? sql`SKIP LOCKED` : sql.empty;
  const rows = await query<{ id: bigint; position: string; count: bigint }>(
    sql`SELECT id, position, (SELECT count(*) ${live}) AS count ${live}
      ORDER BY position FOR NO KEY UPDATE ${skipped}`,
  );
  if (isDeferrable && rows.length !== Number(rows[0]?.count)) return false;
  const keys = generateNKeysBetween(rows.at(-1)?.position ?? null, null, rows.length);
  await query(
    sql`UPDATE ${table} SET position = keys.position
      FROM unnest(${rows.map((row) => row.id)}::bigint[], ${keys}::text[]) AS keys(id, position)
      WHERE ${table}.id = keys.id`,
  );
  return true;
}

/** The key of a restored resource: its old key, or the end when that key is taken. */
export async function restoredPosition(
  query: Query,
  kind: Kind,
  parentId: bigint,
  position: string,
): Promise<string> {
  const { live } = childrenOf(kind, parentId, 0n);
  const taken = await query(sql`SELECT 1 ${live} AND position = ${position}`);
  return taken.length === 0 ? position : positionAt(query, kind, parentId, {});
}
