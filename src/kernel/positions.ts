import { generateKeyBetween, generateNKeysBetween } from "fractional-indexing";
import { conflict } from "../platform/errors.ts";
import type { Query } from "../platform/db/query.ts";

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

type Kind = keyof typeof ordered;

/** The neighbours of a new key; `low` and `high` are the neighbours that are not archived. */
type Gap = { a: string | null; b: string | null; low: string | null; high: string | null };

/**
 * The key of a placement in a parent that the caller has locked.
 *
 * `moving` is not counted, nor are archived siblings. Throws 409 for an unknown neighbour.
 */
export async function positionAt(
  query: Query,
  kind: Kind,
  parentId: bigint,
  placement: Placement,
  moving: { id: bigint; position: string } | null = null,
): Promise<string> {
  const { a, b, low, high } = await gapFor(query, kind, parentId, placement, moving?.id ?? 0n);
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
  return generateNKeysBetween(a, null, count);
}

async function gapFor(
  query: Query,
  kind: Kind,
  parentId: bigint,
  placement: Placement,
  moving: bigint,
): Promise<Gap> {
  const { table, parent, hides } = ordered[kind];
  const live = `FROM ${table} WHERE "${parent}" = $1 AND "deletedAt" IS NULL AND id <> $2`;
  const visible = hides ? `${live} AND "archivedAt" IS NULL` : live;
  const find = async (sql: string, ...more: unknown[]) =>
    (await query<Gap>(sql, [parentId, moving, ...more]))[0];
  if ("before" in placement || "after" in placement) {
    const [anchor, a, b] =
      "before" in placement
        ? [
            placement.before,
            `(SELECT max(position) ${live} AND position < at.position)`,
            "at.position",
          ]
        : [
            placement.after,
            "at.position",
            `(SELECT min(position) ${live} AND position > at.position)`,
          ];
    const found = await find(
      `SELECT ${a} AS a, ${b} AS b, ${a} AS low, ${b} AS high
       FROM (SELECT position ${live} AND "publicId" = $3) AS at`,
      anchor,
    );
    if (found === undefined) {
      const side = "before" in placement ? "before" : "after";
      const field = `${side}${kind === "card" ? "Card" : "List"}PublicId`;
      throw conflict("The neighbour is not in the target.", [field]);
    }
    return found;
  }
  const { index } = placement;
  const found =
    index === undefined
      ? undefined
      : index === 0
        ? await find(
            `SELECT NULL::text AS a, (SELECT min(position) ${live}) AS b,
               NULL::text AS low, (SELECT min(position) ${visible}) AS high`,
          )
        : await find(
            `SELECT at.position AS a,
               (SELECT min(position) ${live} AND position > at.position) AS b,
               at.position AS low,
               (SELECT min(position) ${visible} AND position > at.position) AS high
             FROM (SELECT position ${visible} ORDER BY position OFFSET $3 LIMIT 1) AS at`,
            BigInt(index - 1),
          );
  const end = () =>
    find(
      `SELECT (SELECT max(position) ${live}) AS a, NULL::text AS b,
         (SELECT max(position) ${visible}) AS low, NULL::text AS high`,
    );
  return found ?? (await end()) ?? { a: null, b: null, low: null, high: null };
}

/**
 * Gives all live children of a parent short keys, behind the old ones so that no two are equal.
 *
 * A move locks its resource before the parent: waiting for children with the parent locked could
 * deadlock. A deferrable rebalance returns false when a child is locked.
 */
async function rebalance(query: Query, kind: Kind, parentId: bigint, isDeferrable: boolean) {
  const { table, parent } = ordered[kind];
  const live = `FROM ${table} WHERE "${parent}" = $1 AND "deletedAt" IS NULL`;
  const rows = await query<{ id: bigint; position: string; count: bigint }>(
    `SELECT id, position, (SELECT count(*) ${live}) AS count ${live}
     ORDER BY position FOR NO KEY UPDATE${isDeferrable ? " SKIP LOCKED" : ""}`,
    [parentId],
  );
  if (isDeferrable && rows.length !== Number(rows[0]?.count)) return false;
  const keys = generateNKeysBetween(rows.at(-1)?.position ?? null, null, rows.length);
  await query(
    `UPDATE ${table} SET position = keys.position
     FROM unnest($1::bigint[], $2::text[]) AS keys(id, position) WHERE ${table}.id = keys.id`,
    [rows.map((row) => row.id), keys],
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
  const { table, parent } = ordered[kind];
  const taken = await query(
    `SELECT 1 FROM ${table} WHERE "${parent}" = $1 AND "deletedAt" IS NULL AND position = $2`,
    [parentId, position],
  );
  return taken.length === 0 ? position : positionAt(query, kind, parentId, {});
}
