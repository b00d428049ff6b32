import { readTested, type TestedPage } from "../../kernel/pages/tested.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { findCandidates } from "../boards/candidates.ts";
import { selectPage } from "../boards/cards-page.ts";
import { readCardPage } from "../boards/read-page.ts";
import { keysOf, orderOf } from "../boards/sort-keys.ts";
import { cardWith, isPassingTree } from "../cards/filters.ts";
import type { ViewSelection } from "./selection.ts";

type Keys = (string | null)[];
type Row = { id: bigint; keys: Keys; passes: boolean };
/** The fewest cards that are read of each board. */
const leastPerBoard = 10;

const anyOf = (boards: bigint[]) => sql`ANY (${boards}::bigint[])`;

/**
 * Reads the first cards of many boards after some keys, in one order.
 *
 * Few candidates are sorted. Else each board is read by its own index, and the cards are merged as
 * far as every board was read; a page ends where enough were looked at.
 */
export async function readViewPage(
  query: Query,
  { boards, selection, sort }: ViewSelection,
  { limit, after }: { limit: number; after: Keys | null },
): Promise<TestedPage<{ id: bigint; keys: Keys }>> {
  const [board, ...more] = boards;
  if (board === undefined) return { rows: [] };
  if (more.length === 0) return readCardPage(query, sort, board, selection, { limit, after });
  const among = await findCandidates(query, sort, anyOf(boards), selection);
  if (among !== null) {
    const page = { limit: limit + 1, after, among };
    return { rows: await query<Row>(selectPage(sort, anyOf(boards), selection, page)) };
  }
  return readTested({ limit, after }, async (from, count) => {
    const rows = await query<Row & { isLast: boolean }>(
      mergedPage({ boards, selection, sort }, count, from),
    );
    return { rows, isLast: rows.at(-1)?.isLast !== false };
  });
}

/**
 * SQL: the next cards of many boards in one order, and whether they pass the filter.
 *
 * Of each board the same number is read. Behind the last card of the board that ends first, cards
 * of that board are missing: the rows end there.
 */
function mergedPage(
  { boards, selection, sort }: Omit<ViewSelection, "groupBy">,
  step: number,
  after: Keys | null,
) {
  const limit = Math.min(step, Math.max(leastPerBoard, Math.ceil((2 * step) / boards.length)));
  const { filter: _, ...all } = selection;
  const page = selectPage(sort, sql`board.id`, all, { limit, after });
  return sql`WITH read AS MATERIALIZED (
      SELECT board.id AS "boardId", page.id, page.keys
      FROM unnest(${boards}::bigint[]) AS board(id) CROSS JOIN LATERAL (${page}) page),
    placed AS MATERIALIZED (
      SELECT read.*, row_number() OVER (ORDER BY ${orderOf(keysOf(sort, selection.custom))}) AS nth
      FROM read ${cardWith(sql`read.id`)}),
    reach AS (SELECT min(nth) AS nth FROM (SELECT max(nth) AS nth FROM placed
      GROUP BY "boardId" HAVING count(*) = ${limit}) full_boards)
    SELECT placed.id, placed.keys, reach.nth IS NULL AS "isLast",
      (true ${isPassingTree(selection, true)}) IS TRUE AS passes
    FROM placed CROSS JOIN reach
    ${cardWith(sql`placed.id`)}
    WHERE placed.nth <= coalesce(reach.nth, placed.nth)
    ORDER BY placed.nth`;
}
