import type { Query } from "../platform/db/query.ts";
import { sql, type Sql } from "../platform/db/sql.ts";
import { setOf } from "../platform/db/write.ts";
import { conflict } from "../platform/errors.ts";
import { resourceTree } from "./access/resources.ts";
import type { UnitOfWork } from "./events/unit-of-work.ts";

/** The ordered kinds, and whether archived ones are not counted in an index. */
const hidesArchived = {
  field: false,
  list: true,
  card: true,
  checklist: false,
  checklistItem: false,
} as const;

/** A kind of ordered resources. */
export type OrderedKind = keyof typeof hidesArchived;

/** The table of a kind, the column of its parent, and the parent's table, which is locked. */
function ordered(kind: OrderedKind) {
  const { table, up } = resourceTree[kind];
  return { table, parent: up[1], locked: resourceTree[up[0]].table, hides: hidesArchived[kind] };
}

/** Where to put a resource: an index, or a neighbour by public id; by default the end. */
export type Placement = { index?: number | undefined } | { before: string } | { after: string };

/** A position with more digits behind the point causes a rebalance of the parent. */
export const maxDigits = 100;

/** Up to this many digits, a rebalance is postponed while another transaction locks a sibling. */
export const deferrableDigits = 1_000;

const tableOf = (kind: OrderedKind): Sql => sql.identifier(ordered(kind).table);

/** SQL: the live children of a parent, and those of them that are not archived. */
function childrenOf(kind: OrderedKind, parentId: bigint | Sql): { live: Sql; visible: Sql } {
  const { parent, hides } = ordered(kind);
  const live = sql`FROM ${tableOf(kind)} WHERE ${sql.identifier(parent)} = ${parentId}
    AND "deletedAt" IS NULL`;
  return { live, visible: hides ? sql`${live} AND "archivedAt" IS NULL` : live };
}

/** SQL: the last position among the live children of a parent, without digits behind the point. */
export const lastPosition = (kind: OrderedKind, parentId: bigint | Sql): Sql =>
  sql`(SELECT coalesce(floor(max(position)), 0) ${childrenOf(kind, parentId).live})`;

/**
 * SQL: how many siblings that are not archived come before the row with an id, wherever it is.
 *
 * OFFSET 0 and the lower bound make PostgreSQL count in the index of positions.
 */
export function indexOf(kind: OrderedKind, id: bigint | Sql): Sql {
  const column = sql.identifier(ordered(kind).parent);
  return sql`(SELECT before.count
    FROM (SELECT ${column}, position FROM ${tableOf(kind)} WHERE id = ${id} OFFSET 0) own
    CROSS JOIN LATERAL ${countBefore(kind, sql`own`)} AS before(count))`;
}

/** SQL: the same of the row of a table with an alias. */
export function countBefore(kind: OrderedKind, row: Sql): Sql {
  const { parent, hides } = ordered(kind);
  const column = sql.identifier(parent);
  return sql`(SELECT count(*)::int FROM ${tableOf(kind)} o
    WHERE o.${column} = ${row}.${column} AND o."deletedAt" IS NULL
      ${hides ? sql`AND o."archivedAt" IS NULL` : sql.empty}
      AND o.position > '-infinity' AND o.position < ${row}.position)`;
}

/** Reads how many siblings that are not archived come before a row. */
export async function readIndex(query: Query, kind: OrderedKind, id: bigint): Promise<number> {
  const [row] = await query<{ index: number }>(sql`SELECT ${indexOf(kind, id)} AS index`);
  return row?.index ?? 0;
}

/**
 * SQL: a number between two, with few digits; behind or before one where the other is null.
 *
 * It is rounded to a tenth of the distance at most, so it is never equal to one of the two.
 */
const between = (low: Sql, high: Sql): Sql => sql`CASE
    WHEN ${high} IS NULL THEN floor(coalesce(${low}, 0)) + 1
    WHEN ${low} IS NULL THEN ceil(${high}) - 1
    ELSE round((${low} + ${high}) * 0.5, greatest(0, ceil(-log(${high} - ${low}))::int + 1)) END`;

/**
 * SQL: one row with the `position` of a placement and its `index`; none without the neighbour.
 *
 * `moving` is not counted. It keeps its position when it is at the placement already. The caller
 * has locked the parent.
 */
export function place(
  kind: OrderedKind,
  parentId: bigint | Sql,
  placement: Placement,
  moving?: bigint,
): Sql {
  const siblings = siblingsOf(kind, parentId, moving);
  const neighbours =
    "before" in placement || "after" in placement
      ? besideAnchor(placement, siblings)
      : atIndex(placement.index, siblings);
  return sql`SELECT CASE WHEN neighbours.own > coalesce(neighbours."lowVisible", neighbours.own - 1)
        AND neighbours.own < coalesce(neighbours."highVisible", neighbours.own + 1)
      THEN neighbours.own ELSE ${between(sql`neighbours.low`, sql`neighbours.high`)} END AS position,
      neighbours.index
    FROM (${neighbours}) neighbours`;
}

/** SQL of the children of `parent.id` without the moving one, whose position is `moving.own`. */
type Siblings = { from: Sql; live: Sql; visible: Sql };

/**
 * The moving resource is left out by its position, which the index has: by its id, PostgreSQL
 * would read each child. OFFSET 0 makes it look the parent up once.
 */
function siblingsOf(
  kind: OrderedKind,
  parentId: bigint | Sql,
  moving: bigint | undefined,
): Siblings {
  const { live, visible } = childrenOf(kind, sql`parent.id`);
  const ownPosition =
    moving === undefined ? sql`NULL::numeric` : sql`(SELECT position ${live} AND id = ${moving})`;
  const isOther = moving === undefined ? sql.empty : sql`AND position IS DISTINCT FROM moving.own`;
  return {
    from: sql`(SELECT ${parentId}::bigint AS id OFFSET 0) parent
      CROSS JOIN LATERAL (SELECT ${ownPosition} AS own OFFSET 0) moving`,
    live: sql`${live} ${isOther}`,
    visible: sql`${visible} ${isOther}`,
  };
}

/** SQL: the neighbours of a place beside a sibling; no row when there is no such sibling. */
function besideAnchor(
  placement: { before: string } | { after: string },
  { from, live, visible }: Siblings,
): Sql {
  const isBefore = "before" in placement;
  const anchor = isBefore ? placement.before : placement.after;
  const low = sql`(SELECT max(position) ${live} AND position < anchor.position)`;
  const high = sql`(SELECT min(position) ${live} AND position > anchor.position)`;
  const sides = isBefore
    ? sql`${low} AS low, anchor.position AS high, ${low} AS "lowVisible",
        anchor.position AS "highVisible"`
    : sql`anchor.position AS low, ${high} AS high, anchor.position AS "lowVisible",
        ${high} AS "highVisible"`;
  return sql`SELECT ${sides}, moving.own, (SELECT count(*)::int ${visible}
        AND position > '-infinity' AND position ${isBefore ? sql`<` : sql`<=`} anchor.position)
        AS index
    FROM ${from} CROSS JOIN LATERAL (
      SELECT position ${live} AND "publicId" = ${anchor} OFFSET 0) anchor`;
}

/** SQL: the neighbours of a place with an index, or behind all siblings. */
function atIndex(index: number | undefined, siblings: Siblings): Sql {
  const { from, live, visible } = siblings;
  if (index === undefined) return atEnd(siblings);
  if (index === 0) {
    return sql`SELECT NULL::numeric AS low, (SELECT min(position) ${live}) AS high,
        NULL::numeric AS "lowVisible", (SELECT min(position) ${visible}) AS "highVisible",
        moving.own, 0 AS index FROM ${from}`;
  }
  const above = sql`AND position > previous.position`;
  return sql`WITH at AS MATERIALIZED (
      SELECT previous.position AS low, (SELECT min(position) ${live} ${above}) AS high,
        previous.position AS "lowVisible", (SELECT min(position) ${visible} ${above})
        AS "highVisible", moving.own, ${index}::int AS index
      FROM ${from} CROSS JOIN LATERAL (SELECT position ${inOrder(siblings)} ORDER BY position
        OFFSET ${index - 1}::int LIMIT 1) previous)
    SELECT * FROM at UNION ALL SELECT last.* FROM (${atEnd(siblings)}) last
    WHERE NOT EXISTS (SELECT FROM at)`;
}

const atEnd = (siblings: Siblings): Sql =>
  sql`SELECT (SELECT max(position) ${siblings.live}) AS low, NULL::numeric AS high,
      (SELECT max(position) ${siblings.visible}) AS "lowVisible", NULL::numeric AS "highVisible",
      moving.own, (SELECT count(*)::int ${inOrder(siblings)}) AS index
    FROM ${siblings.from}`;

/**
 * SQL: the siblings that are not archived, by the index of positions.
 *
 * Without bounds PostgreSQL may take the index that has no positions, and read the rows of all.
 */
const inOrder = ({ live, visible }: Siblings): Sql =>
  sql`${visible} AND position > '-infinity' AND position <= (SELECT max(position) ${live})`;

/** The position and index of a row that was just written. */
type Placed = { position: string; index: number };

/** Checks what the statement of a placement has returned, and shortens positions that grew long. */
export async function checkPlaced<Row extends Placed>(
  query: Query,
  kind: OrderedKind,
  parentId: bigint,
  placement: Placement,
  row: Row | undefined,
): Promise<Row> {
  if (row === undefined) throw anchorMissing(kind, placement);
  const digits = row.position.split(".")[1]?.length ?? 0;
  if (digits > maxDigits) await rebalance(query, kind, parentId, digits <= deferrableDigits);
  return row;
}

/** SQL: the index of a row, for the RETURNING of the statement that inserts it. */
export function insertedIndex(kind: OrderedKind): Sql {
  const { parent, hides } = ordered(kind);
  const [table, column] = [tableOf(kind), sql.identifier(parent)];
  return sql`(SELECT count(*)::int FROM ${table} o
    WHERE o.${column} = ${table}.${column} AND o."deletedAt" IS NULL
      ${hides ? sql`AND o."archivedAt" IS NULL` : sql.empty}
      AND o.position > '-infinity' AND o.position < ${table}.position)`;
}

/** Inserts a row at a placement, by a statement that takes its position from `place`. */
export async function insertPlaced<Row>(
  query: Query,
  kind: OrderedKind,
  parentId: bigint,
  placement: Placement,
  insert: Sql,
): Promise<Row & { index: number }> {
  const [row] = await query<Row & Placed>(sql`WITH place AS (${place(kind, parentId, placement)})
    ${insert} RETURNING *, ${insertedIndex(kind)} AS index`);
  return checkPlaced(query, kind, parentId, placement, row);
}

type Tx = Pick<UnitOfWork, "query" | "lock" | "lockOrder" | "now">;

/** A move: the row, and its index before and after among those that are not archived. */
export type Move<Row> = { row: Row; from: number; to: number };

/**
 * Moves a row to a placement in a parent, which it locks; null without a placement, or when the
 * row is there. `set` is written with the position: the new parent, and other columns.
 */
export async function moveRow<Row extends { id: bigint }>(
  tx: Tx,
  kind: OrderedKind,
  { id }: Row,
  parentId: bigint,
  placement: Placement | undefined,
  set = sql.empty,
): Promise<Move<Row> | null> {
  if (placement === undefined) return null;
  const { parent: column, locked } = ordered(kind);
  tx.lockOrder(locked, parentId);
  const [table, parent] = [tableOf(kind), sql.identifier(column)];
  const [moved] = await tx.query<Row & Placed & { before: number }>(sql`
    WITH place AS MATERIALIZED (
      SELECT target.*, ${indexOf(kind, id)} AS before
      FROM (${place(kind, parentId, placement, id)}) target)
    UPDATE ${table} SET position = place.position ${set} FROM place
    WHERE id = ${id} AND (${parent} <> ${parentId} OR ${table}.position <> place.position)
    RETURNING ${table}.*, place.index, place.before`);
  if (moved === undefined && (await hasAnchor(tx.query, kind, parentId, placement, id)))
    return null;
  const row = await checkPlaced(tx.query, kind, parentId, placement, moved);
  return { row, from: row.before, to: row.index };
}

/** Whether the neighbour of a placement is another child of the parent; true without one. */
async function hasAnchor(
  query: Query,
  kind: OrderedKind,
  parentId: bigint,
  placement: Placement,
  moving: bigint,
): Promise<boolean> {
  if (!("before" in placement || "after" in placement)) return true;
  const anchor = "before" in placement ? placement.before : placement.after;
  const { live } = childrenOf(kind, parentId);
  const anchors = await query(sql`SELECT ${live} AND "publicId" = ${anchor} AND id <> ${moving}`);
  return anchors.length > 0;
}

/** Moves a row to the trash, behind the lock of its parent; returns it as it is then. */
export function deleteRow<Row extends { id: bigint; version: number }>(
  tx: Tx,
  kind: OrderedKind,
  row: Row,
  parentId: bigint,
): Row {
  tx.lockOrder(ordered(kind).locked, parentId);
  const fields = { deletedAt: tx.now, updatedAt: tx.now };
  void tx.query(sql`UPDATE ${tableOf(kind)} SET ${setOf(fields)} WHERE id = ${row.id}`);
  return { ...row, ...fields, version: row.version + 1 };
}

/**
 * Restores a deleted row to its old position, or to the end when a sibling has that.
 *
 * It locks the parent, and answers null when that is deleted too.
 */
export async function restoreRow<Row extends { id: bigint }>(
  tx: Tx,
  kind: OrderedKind,
  { id }: Row,
  parentId: bigint,
): Promise<Row | null> {
  const table = tableOf(kind);
  const { live } = childrenOf(kind, parentId);
  if ((await tx.lock(ordered(kind).locked, [parentId])).length === 0) return null;
  const [row] = await tx.query<Row>(sql`UPDATE ${table} SET "deletedAt" = NULL,
      version = version + 1, "updatedAt" = ${tx.now}::timestamptz,
      position = CASE WHEN position IN (SELECT sibling.position
          FROM (SELECT position ${live}) sibling)
        THEN ${lastPosition(kind, parentId)} + 1 ELSE position END
    WHERE id = ${id} RETURNING *`);
  return row ?? null;
}

/**
 * Gives all live children of a parent whole numbers, behind the old ones so that no two are equal.
 *
 * A move locks its resource before the parent: waiting for children with the parent locked could
 * deadlock. A deferrable rebalance does nothing when a child is locked.
 */
async function rebalance(
  query: Query,
  kind: OrderedKind,
  parentId: bigint,
  isDeferrable: boolean,
): Promise<void> {
  const table = tableOf(kind);
  const { live } = childrenOf(kind, parentId);
  await query(sql`WITH locked AS MATERIALIZED (
      SELECT id, position ${live} FOR NO KEY UPDATE ${isDeferrable ? sql`SKIP LOCKED` : sql.empty}),
    numbered AS (SELECT id, (SELECT floor(max(position)) FROM locked)
        + row_number() OVER (ORDER BY position) AS position FROM locked)
    UPDATE ${table} SET position = numbered.position FROM numbered
    WHERE ${table}.id = numbered.id
      AND (SELECT count(*) FROM locked) = (SELECT count(*) ${live})`);
}

function anchorMissing(kind: OrderedKind, placement: Placement): Error {
  const side = "before" in placement ? "before" : "after";
  const field = `${side}${kind === "card" ? "Card" : "List"}PublicId`;
  const parent = kind === "card" ? "list" : "board";
  return conflict("anchor_missing", `The neighbour is not in the target ${parent}.`, [field]);
}
