import { generateKeyBetween, generateNKeysBetween } from "fractional-indexing";
import { conflict } from "../errors.ts";
import type { Query } from "./database.ts";

/** The four kinds of things that stand in an order, and what they stand in. */
const ordered = {
  list: { table: "lists", parent: "boardId", hides: true },
  card: { table: "cards", parent: "listId", hides: true },
  checklist: { table: "checklists", parent: "cardId", hides: false },
  checklistItem: { table: "checklist_items", parent: "checklistId", hides: false },
} as const;

/** Where to put something: at a place, or next to a neighbour by its public id; nothing means the end. */
export type Place = { index?: number | undefined } | { before: string } | { after: string };

/** Keys longer than this have their parent's keys made anew. */
export const longestKey = 40;

type Gap = { a: string | null; b: string | null };

/**
 * The key for a place among the live things of `parentId`, whose row the caller has locked; `moving` is left out of the count.
 * Archived things keep their keys but do not count as places. Throws 409 when a neighbour is not there.
 */
export async function keyFor(
  query: Query,
  kind: keyof typeof ordered,
  parentId: bigint,
  place: Place,
  moving: { id: bigint; position: string } | null = null,
): Promise<string> {
  const { a, b } = await gapFor(query, kind, parentId, place, moving?.id ?? 0n);
  if (
    moving !== null &&
    (a === null || a < moving.position) &&
    (b === null || moving.position < b)
  ) {
    return moving.position;
  }
  const key = generateKeyBetween(a, b);
  if (key.length <= longestKey) return key;
  await rebalance(query, kind, parentId);
  const again = await gapFor(query, kind, parentId, place, moving?.id ?? 0n);
  return generateKeyBetween(again.a, again.b);
}

/** `count` keys after all others of the parent, whose row the caller has locked. */
export async function keysAtEnd(
  query: Query,
  kind: keyof typeof ordered,
  parentId: bigint,
  count: number,
): Promise<string[]> {
  const { a } = await gapFor(query, kind, parentId, {}, 0n);
  return generateNKeysBetween(a, null, count);
}

async function gapFor(
  query: Query,
  kind: keyof typeof ordered,
  parentId: bigint,
  place: Place,
  moving: bigint,
): Promise<Gap> {
  const { table, parent, hides } = ordered[kind];
  const live = `FROM ${table} WHERE "${parent}" = $1 AND "deletedAt" IS NULL AND id <> $2`;
  const visible = hides ? `${live} AND "archivedAt" IS NULL` : live;
  const last = `(SELECT max(position) ${live})`;
  const one = async (sql: string, ...more: unknown[]) =>
    (await query<Gap>(sql, [parentId, moving, ...more]))[0];
  if ("before" in place || "after" in place) {
    const [anchor, gap] =
      "before" in place
        ? [
            place.before,
            `(SELECT max(position) ${live} AND position < at.position) AS a, at.position AS b`,
          ]
        : [
            place.after,
            `at.position AS a, (SELECT min(position) ${live} AND position > at.position) AS b`,
          ];
    const found = await one(
      `SELECT ${gap} FROM (SELECT position ${live} AND "publicId" = $3) AS at`,
      anchor,
    );
    if (found === undefined) throw conflict("The neighbour that was named is not there.");
    return found;
  }
  const { index } = place;
  if (index === undefined)
    return (await one(`SELECT ${last} AS a, NULL::text AS b`)) ?? { a: null, b: null };
  if (index === 0)
    return (
      (await one(`SELECT NULL::text AS a, (SELECT min(position) ${live}) AS b`)) ?? {
        a: null,
        b: null,
      }
    );
  const found = await one(
    `SELECT at.position AS a, (SELECT min(position) ${live} AND position > at.position) AS b
     FROM (SELECT position ${visible} ORDER BY position OFFSET $3 LIMIT 1) AS at`,
    BigInt(index - 1),
  );
  return found ?? gapFor(query, kind, parentId, {}, moving);
}

/** New short keys for all live things of a parent, in their order. They all lie behind the old ones, so that no two meet on the way. */
async function rebalance(query: Query, kind: keyof typeof ordered, parentId: bigint) {
  const { table, parent } = ordered[kind];
  const rows = await query<{ id: bigint; position: string }>(
    `SELECT id, position FROM ${table} WHERE "${parent}" = $1 AND "deletedAt" IS NULL ORDER BY position`,
    [parentId],
  );
  const keys = generateNKeysBetween(rows.at(-1)?.position ?? null, null, rows.length);
  await query(
    `UPDATE ${table} SET position = keys.position
     FROM unnest($1::bigint[], $2::text[]) AS keys(id, position) WHERE ${table}.id = keys.id`,
    [rows.map((row) => row.id), keys],
  );
}
