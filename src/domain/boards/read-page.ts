import type { SortKey } from "../../contract/filter/sort.ts";
import { fitting } from "../../kernel/pages/tested.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { cardWith, hasConditions, isPassing, type CardSelection } from "../cards/filters.ts";
import { nextBlock, type Block } from "./blocks.ts";
import { findCandidates } from "./candidates.ts";
import { amongCards, type Keys } from "./cards-page.ts";
import type { BoardId } from "./contents-sql.ts";
import { keysOf } from "./sort-keys.ts";

type Row = { id: bigint; keys: Keys };
/** Rows of a page; `readTo` are the keys where reading ended, if there are more cards. */
type Found = { rows: Row[]; readTo?: Keys };

/** How many cards are tested at a time, the most of a page, and how often. */
const steps = [100, 900, 4_000];
const maxTested = 5_000;
const maxBlocks = 8;

/** SQL: the cards of a page in its order, and whether they pass. */
const tested = (page: Sql, condition: Sql) => sql`SELECT page.id, page.keys,
    (${condition}) IS TRUE AS passes
  FROM (SELECT page.*, row_number() OVER () AS nth FROM (${page}) page) page
  ${cardWith(sql`page.id`)}
  ORDER BY page.nth`;

/** Reads cards of a block, and whether they pass the filters. */
async function readBlock(query: Query, { page, tests, shared }: Block, selection: CardSelection) {
  const isPlain = tests.length === 0 && !hasConditions(selection);
  const all = sql.join([sql`true`, ...tests], sql` AND `);
  const rows = await query<Row & { passes?: boolean }>(
    isPlain ? page : tested(page, sql`${all} ${isPassing(selection, true)}`),
  );
  return rows.map(({ id, keys, passes = true }) => ({ id, keys: [...shared, ...keys], passes }));
}

/**
 * Reads the first cards of a selection after some keys.
 *
 * Few candidates are sorted. Else cards are read in their order, block by block; where few pass, the
 * page ends when enough were tested, or when that has taken long.
 */
export async function readCardPage(
  query: Query,
  sort: readonly SortKey[],
  boardId: BoardId,
  selection: CardSelection,
  { limit, after }: { limit: number; after: Keys | null },
): Promise<Found> {
  const keys = keysOf(sort, selection.custom);
  const reading = { boardId, selection, keys, after, limit: limit + 1 };
  const among = await findCandidates(query, sort, boardId, selection);
  if (among !== null) return { rows: await query<Row>(amongCards(reading, among)) };
  const rows: Row[] = [];
  let last = after;
  let count = 0;
  const startedAt = performance.now();
  const isPlain = sort.length === 1 && !hasConditions(selection);
  const first = isPlain ? limit + 1 : Math.max(steps[0] ?? 0, limit + 1);
  for (let nth = 0; nth < maxBlocks; nth++) {
    const most = nth === 0 ? first : Math.min(steps[nth] ?? maxTested, maxTested - count);
    const step = fitting(most, count, startedAt);
    if (step <= 0) break;
    const block = await nextBlock(query, { ...reading, after: last, limit: step });
    const read = await readBlock(query, block, selection);
    rows.push(...read.filter(({ passes }) => passes));
    count += read.length;
    const isRead = read.length < step;
    if (rows.length > limit || (isRead && block.end === null)) return { rows };
    last = isRead ? block.end : (read.at(-1)?.keys ?? last);
  }
  return last === null ? { rows } : { rows, readTo: last };
}
