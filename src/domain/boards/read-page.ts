import type { SortKey } from "../../contract/filter/sort.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { conditionsOf, isPassingTree, type CardSelection } from "../cards/filters.ts";
import { findCandidates } from "./candidates.ts";
import { selectPage } from "./cards-page.ts";

type Keys = (string | null)[];
type Row = { id: bigint; keys: Keys };
/** Rows of a page; `readTo` are the keys of the last row that was read, if not all were. */
type Found = { rows: Row[]; readTo?: Keys };

/** How many cards of the order are looked at for a page, step by step. */
const steps = [200, 800, 4_000];
/** By position, the first cards of each list are. */
const stepsByPosition = [200, 500];

/** SQL: the cards of a page in its order, and whether they pass the filter. */
const withFilter = (page: Sql, selection: CardSelection) => sql`SELECT page.id, page.keys,
    (true ${isPassingTree(selection, true)}) IS TRUE AS passes
  FROM (SELECT page.*, row_number() OVER () AS nth FROM (${page}) page) page
  CROSS JOIN LATERAL (SELECT * FROM cards c WHERE c.id = page.id OFFSET 0) c
  JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
  ORDER BY page.nth`;

/**
 * Reads the first cards of a selection after some keys.
 *
 * Few candidates are sorted. Else cards are read in their order; with a filter that few pass,
 * the page ends where enough were looked at.
 */
export async function readCardPage(
  query: Query,
  sort: readonly SortKey[],
  boardId: bigint,
  selection: CardSelection,
  { limit, after }: { limit: number; after: Keys | null },
): Promise<Found> {
  const among = await findCandidates(query, sort, boardId, selection);
  const { filter, ...others } = selection;
  if (among !== null || filter === undefined) {
    const page = { limit: limit + 1, after, among };
    return { rows: await query<Row>(selectPage(sort, boardId, selection, page)) };
  }
  const order = sort[0]?.field;
  // The index of the order begins where these conditions hold.
  const and = conditionsOf({ filter }).filter((one) => "field" in one && one.field === order);
  const ordered = and.length === 0 ? others : { ...others, filter: { and } };
  const rows: Row[] = [];
  let last = after;
  for (const step of order === "position" ? stepsByPosition : steps) {
    const page = selectPage(sort, boardId, ordered, { limit: step, after: last });
    const read = await query<Row & { passes: boolean }>(withFilter(page, selection));
    rows.push(...read.filter(({ passes }) => passes));
    last = read.at(-1)?.keys ?? last;
    if (read.length < step || rows.length > limit) return { rows };
  }
  return last === null ? { rows } : { rows, readTo: last };
}
