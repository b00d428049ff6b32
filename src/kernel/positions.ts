import { generateKeyBetween, generateNKeysBetween } from "fractional-indexing";
import { conflict } from "../platform/errors.ts";
import type { Query } from "../platform/db/query.ts";

/** The four kinds of things that stand in an order, and what they stand in. */
const ordered = {
  list: { table: "lists", parent: "boardId", hides: true },
  card: { table: "cards", parent: "listId", hides: true },
  checklist: { table: "checklists", parent: "cardId", hides: false },
  checklistItem: { table: "checklist_items", parent: "checklistId", hides: false },
} as const;

/** Where to put something: at a place, or next to a neighbour by its public id; nothing means the end. */
export type Placement = { index?: number | undefined } | { before: string } | { after: string };

/** Keys longer than this have their parent's keys made anew. */
export const maxPositionLength = 40;

/** Up to this length the new keys can wait for a moment when nobody else is at work on one of the things. */
export const patientKey = 400;

type Kind = keyof typeof ordered;

/** What a key is made between; and between what a thing has that place already, archived things not counting. */
type Gap = { a: string | null; b: string | null; low: string | null; high: string | null };

/**
 * The key for a place among the live things of `parentId`, whose row the caller has locked; `moving` is left out of the count.
 * Archived things keep their keys but do not count as places. Throws 409 when a neighbour is not there.
 */
export async function positionAt(
  query: Query,
  kind: Kind,
  parentId: bigint,
  place: Placement,
  moving: { id: bigint; position: string } | null = null,
): Promise<string> {
  const { a, b, low, high } = await gapFor(query, kind, parentId, place, moving?.id ?? 0n);
  if (
    moving !== null &&
    (low === null || low < moving.position) &&
    (high === null || moving.position < high)
  ) {
    return moving.position;
  }
  const key = generateKeyBetween(a, b);
  if (key.length <= maxPositionLength) return key;
  if (!(await rebalance(query, kind, parentId, key.length <= patientKey))) return key;
  const again = await gapFor(query, kind, parentId, place, moving?.id ?? 0n);
  return generateKeyBetween(again.a, again.b);
}

/** `count` keys after all others of the parent, whose row the caller has locked. */
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
  place: Placement,
  moving: bigint,
): Promise<Gap> {
  const { table, parent, hides } = ordered[kind];
  const live = `FROM ${table} WHERE "${parent}" = $1 AND "deletedAt" IS NULL AND id <> $2`;
  const visible = hides ? `${live} AND "archivedAt" IS NULL` : live;
  const find = async (sql: string, ...more: unknown[]) =>
    (await query<Gap>(sql, [parentId, moving, ...more]))[0];
  if ("before" in place || "after" in place) {
    const [anchor, a, b] =
      "before" in place
        ? [place.before, `(SELECT max(position) ${live} AND position < at.position)`, "at.position"]
        : [place.after, "at.position", `(SELECT min(position) ${live} AND position > at.position)`];
    const found = await find(
      `SELECT ${a} AS a, ${b} AS b, ${a} AS low, ${b} AS high FROM (SELECT position ${live} AND "publicId" = $3) AS at`,
      anchor,
    );
    if (found === undefined) {
      const field = `${"before" in place ? "before" : "after"}${kind === "card" ? "Card" : "List"}PublicId`;
      throw conflict("The neighbour that was named is not there.", [field]);
    }
    return found;
  }
  const { index } = place;
  const found =
    index === undefined
      ? undefined
      : index === 0
        ? await find(
            `SELECT NULL::text AS a, (SELECT min(position) ${live}) AS b, NULL::text AS low, (SELECT min(position) ${visible}) AS high`,
          )
        : await find(
            `SELECT at.position AS a, (SELECT min(position) ${live} AND position > at.position) AS b,
               at.position AS low, (SELECT min(position) ${visible} AND position > at.position) AS high
             FROM (SELECT position ${visible} ORDER BY position OFFSET $3 LIMIT 1) AS at`,
            BigInt(index - 1),
          );
  const end = () =>
    find(
      `SELECT (SELECT max(position) ${live}) AS a, NULL::text AS b, (SELECT max(position) ${visible}) AS low, NULL::text AS high`,
    );
  return found ?? (await end()) ?? { a: null, b: null, low: null, high: null };
}

/**
 * New short keys for all live things of a parent, in their order. They all lie behind the old ones, so that no two meet on the way.
 * Whoever moves a thing locks it before its parent, so waiting for things with the parent locked could wait for ever:
 * a `patient` caller is answered false instead when one of them is not free.
 */
async function rebalance(query: Query, kind: Kind, parentId: bigint, patient: boolean) {
  const { table, parent } = ordered[kind];
  const live = `FROM ${table} WHERE "${parent}" = $1 AND "deletedAt" IS NULL`;
  const rows = await query<{ id: bigint; position: string; count: bigint }>(
    `SELECT id, position, (SELECT count(*) ${live}) AS count ${live} ORDER BY position FOR NO KEY UPDATE${patient ? " SKIP LOCKED" : ""}`,
    [parentId],
  );
  if (patient && rows.length !== Number(rows[0]?.count)) return false;
  const keys = generateNKeysBetween(rows.at(-1)?.position ?? null, null, rows.length);
  await query(
    `UPDATE ${table} SET position = keys.position
     FROM unnest($1::bigint[], $2::text[]) AS keys(id, position) WHERE ${table}.id = keys.id`,
    [rows.map((row) => row.id), keys],
  );
  return true;
}

/** The key for something that comes back among the live things of `parentId`, whose row the caller has locked: its own, or the end when that place is taken. */
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
