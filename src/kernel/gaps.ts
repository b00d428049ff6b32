import type { Query } from "../platform/db/query.ts";
import { sql, type Sql } from "../platform/db/sql.ts";
import { conflict } from "../platform/errors.ts";

/** The ordered kinds, with their parents. */
const ordered = {
  list: { table: "lists", parent: "boardId", hides: true },
  card: { table: "cards", parent: "listId", hides: true },
  checklist: { table: "checklists", parent: "cardId", hides: false },
  checklistItem: { table: "checklist_items", parent: "checklistId", hides: false },
} as const;

/** Where to put a resource: an index, or a neighbour by public id; by default the end. */
export type Placement = { index?: number | undefined } | { before: string } | { after: string };

/** A kind of ordered resources. */
export type OrderedKind = keyof typeof ordered;

/** The positions of the neighbours of a new one; the visible ones are not archived. */
export type Gap = {
  previous: string | null;
  next: string | null;
  previousVisible: string | null;
  nextVisible: string | null;
  /** How many siblings that are not archived come before it. */
  index: bigint;
};

/** SQL: the table of a kind. */
export const orderedTable = (kind: OrderedKind): Sql => sql.identifier(ordered[kind].table);

/** SQL: the live children of a parent, and those of them that are not archived. */
export function childrenOf(kind: OrderedKind, parentId: bigint | Sql): { live: Sql; visible: Sql } {
  const { parent, hides } = ordered[kind];
  const live = sql`FROM ${orderedTable(kind)} WHERE ${sql.identifier(parent)} = ${parentId}
    AND "deletedAt" IS NULL`;
  return { live, visible: hides ? sql`${live} AND "archivedAt" IS NULL` : live };
}

/** What the gap of a placement is read with: the children of `parent.id` without the moving one. */
type Children = {
  from: Sql;
  live: Sql;
  visible: Sql;
};

/**
 * The moving resource is left out by its position, which the index has: by its id, PostgreSQL
 * would read each child. OFFSET 0 makes it look the parent up once.
 */
function othersOf(
  kind: OrderedKind,
  parentId: bigint | Sql,
  moving: bigint | Sql | undefined,
): Children {
  const { live, visible } = childrenOf(kind, sql`parent.id`);
  const parent = sql`(SELECT ${parentId}::bigint AS id OFFSET 0) AS parent`;
  if (moving === undefined) return { from: parent, live, visible };
  const own = sql`(SELECT position ${live} AND id = ${moving})`;
  const isOther = sql`AND position IS DISTINCT FROM moving.position`;
  return {
    from: sql`${parent} CROSS JOIN LATERAL (SELECT ${own} AS position OFFSET 0) AS moving`,
    live: sql`${live} ${isOther}`,
    visible: sql`${visible} ${isOther}`,
  };
}

/** Reads the gap of a placement; ids may be given as SQL. Throws 409 for an unknown neighbour. */
export async function gapFor(
  query: Query,
  kind: OrderedKind,
  parentId: bigint | Sql,
  placement: Placement,
  moving?: bigint | Sql,
): Promise<Gap> {
  const others = othersOf(kind, parentId, moving);
  if ("before" in placement || "after" in placement) {
    const [found] = await query<Gap>(gapBeside(placement, others));
    if (found !== undefined) return found;
    const side = "before" in placement ? "before" : "after";
    const field = `${side}${kind === "card" ? "Card" : "List"}PublicId`;
    const parent = kind === "card" ? "list" : "board";
    throw conflict("anchor_missing", `The neighbour is not in the target ${parent}.`, [field]);
  }
  const { index } = placement;
  const [found] = index === undefined ? [] : await query<Gap>(gapAt(index, others));
  if (found !== undefined) return found;
  const [end] = await query<Gap>(gapAtEnd(others));
  return end ?? { previous: null, next: null, previousVisible: null, nextVisible: null, index: 0n };
}

/**
 * SQL: the children that are not archived, by the index of positions.
 *
 * Without bounds PostgreSQL may take the index that has no positions, and read the rows of all.
 */
const inOrder = ({ live, visible }: Children): Sql =>
  sql`${visible} AND position > '' AND position <= (SELECT max(position) ${live})`;

/** SQL: the gap behind all children. */
const gapAtEnd = (others: Children): Sql =>
  sql`SELECT (SELECT max(position) ${others.live}) AS previous, NULL::text AS next,
      (SELECT max(position) ${others.visible}) AS "previousVisible", NULL::text AS "nextVisible",
      (SELECT count(*) ${inOrder(others)}) AS index
    FROM ${others.from}`;

/** SQL: the gap beside a neighbour; no row when the neighbour is not among the children. */
function gapBeside(
  placement: { before: string } | { after: string },
  { from, live, visible }: Children,
): Sql {
  const [anchor, previous, next, isBefore] =
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
  return sql`SELECT ${previous} AS previous, ${next} AS next,
      ${previous} AS "previousVisible", ${next} AS "nextVisible",
      (SELECT count(*) ${visible} AND position > ''
        AND position ${isBefore} at.position) AS index
    FROM ${from} CROSS JOIN LATERAL (
      SELECT position ${live} AND "publicId" = ${anchor} OFFSET 0) AS at`;
}

/** SQL: the gap before the child with an index; no row when there are fewer children. */
function gapAt(index: number, others: Children): Sql {
  const { from, live, visible } = others;
  return index === 0
    ? sql`SELECT NULL::text AS previous, (SELECT min(position) ${live}) AS next,
        NULL::text AS "previousVisible", (SELECT min(position) ${visible}) AS "nextVisible",
        0::bigint AS index
      FROM ${from}`
    : sql`SELECT at.position AS previous,
        (SELECT min(position) ${live} AND position > at.position) AS next,
        at.position AS "previousVisible",
        (SELECT min(position) ${visible} AND position > at.position) AS "nextVisible",
        ${BigInt(index)}::bigint AS index
      FROM ${from} CROSS JOIN LATERAL (SELECT position ${inOrder(others)} ORDER BY position
        OFFSET ${BigInt(index - 1)}::bigint LIMIT 1) AS at`;
}
