import { setImmediate } from "node:timers/promises";
import { generateKeyBetween, generateNKeysBetween } from "fractional-indexing";
import type { Query } from "../platform/db/query.ts";
import { sql } from "../platform/db/sql.ts";
import {
  childrenOf,
  gapFor,
  orderedTable,
  type Gap,
  type OrderedKind,
  type Placement,
} from "./gaps.ts";

/** A longer key causes a rebalance of its parent. */
export const maxPositionLength = 40;

/** Up to this length a rebalance waits until no other transaction has locked a sibling. */
export const deferrableLength = 400;

/** How many keys are made before other calls are served. */
const keysPerSlice = 5_000;

/**
 * The key of a placement in a parent that the caller has locked.
 *
 * `moving` is not counted, nor are archived siblings. `found` is the gap, if it was read. Throws
 * 409 for an unknown neighbour.
 */
export async function positionAt(
  query: Query,
  kind: OrderedKind,
  parentId: bigint,
  placement: Placement,
  moving: { id: bigint; position: string } | null = null,
  found?: Gap,
): Promise<string> {
  const gap = found ?? (await gapFor(query, kind, parentId, placement, moving?.id));
  const { previous, next, previousVisible, nextVisible } = gap;
  if (
    moving !== null &&
    (previousVisible === null || previousVisible < moving.position) &&
    (nextVisible === null || moving.position < nextVisible)
  ) {
    return moving.position;
  }
  const key = generateKeyBetween(previous, next);
  if (key.length <= maxPositionLength) return key;
  if (!(await rebalance(query, kind, parentId, key.length <= deferrableLength))) return key;
  const again = await gapFor(query, kind, parentId, placement, moving?.id);
  return generateKeyBetween(again.previous, again.next);
}

/** New keys at the end of a parent that the caller has locked. */
export async function appendPositions(
  query: Query,
  kind: OrderedKind,
  parentId: bigint,
  count: number,
): Promise<string[]> {
  const { previous } = await gapFor(query, kind, parentId, {});
  const keys: string[] = [];
  while (keys.length < count) {
    if (keys.length > 0) await setImmediate();
    const more = Math.min(keysPerSlice, count - keys.length);
    keys.push(...generateNKeysBetween(keys.at(-1) ?? previous, null, more));
  }
  return keys;
}

/**
 * Gives all live children of a parent short keys, behind the old ones so that no two are equal.
 *
 * A move locks its resource before the parent: waiting for children with the parent locked could
 * deadlock. A deferrable rebalance returns false when a child is locked.
 */
async function rebalance(query: Query, kind: OrderedKind, parentId: bigint, isDeferrable: boolean) {
  const table = orderedTable(kind);
  const { live } = childrenOf(kind, parentId);
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
  kind: OrderedKind,
  parentId: bigint,
  position: string,
): Promise<string> {
  const { live } = childrenOf(kind, parentId);
  const taken = await query(sql`SELECT 1 ${live} AND position = ${position}`);
  return taken.length === 0 ? position : positionAt(query, kind, parentId, {});
}
