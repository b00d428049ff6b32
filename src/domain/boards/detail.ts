import type { z } from "zod";
import type { Query } from "../../platform/db/query.ts";
import type { Board as BoardRow } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { hasConditions, type CardSelection } from "../cards/filters.ts";
import { showBoard } from "../presenters/boards.ts";
import type { Board } from "../../contract/resources/boards.ts";
import * as statements from "./contents-sql.ts";
import { summaries } from "../cards/parts-sql.ts";
import { endOfSummaries } from "../cards/summaries.ts";
import type { SummaryRow } from "../parts/part.ts";
import * as contents from "./contents.ts";
import { readParts, shownRow } from "./parts.ts";

type BoardDetail = z.infer<typeof Board>;
type Workspace = { publicId: string; cardPrefix: string };

const { maxCards } = statements;

/** A board with its labels, and its lists with the selected cards. */
export async function boardDetail(
  query: Query,
  board: BoardRow,
  workspace: Workspace,
  selection: CardSelection = {},
): Promise<BoardDetail> {
  const boardContents = await readContents(query, board.id, workspace.cardPrefix, selection);
  return { ...showBoard(board), workspacePublicId: workspace.publicId, ...boardContents };
}

const maxReads = 3;

/** Reads lists and cards at once; again when a list was added between the two statements. */
async function readContents(
  query: Query,
  boardId: bigint,
  prefix: string,
  selection: CardSelection,
  readsLeft = maxReads - 1,
): Promise<Pick<BoardDetail, "lists" | "labels" | "fields">> {
  const { listRows, partRows, cardRows, ...others } = await readRows(query, boardId, selection);
  const lists = new Map(listRows.map(contents.readList));
  const isComplete = cardRows.every(({ listId }) => lists.has(listId));
  if (!isComplete && readsLeft > 0)
    return readContents(query, boardId, prefix, selection, readsLeft - 1);
  const { summaryRows } = others;
  const end = endOfSummaries(summaryRows);
  const fitting = contents.countFitting(cardRows);
  const cards = await contents.addCards(lists, cardRows, {
    prefix,
    isMatching: isMatching(selection),
    fits: ({ id }, nth) => nth < fitting && (end === null || id < end),
  });
  contents.setCounts(lists, cardRows, others.countRows);
  await contents.addSummaries(cards, summaryRows);
  return {
    lists: [...lists.values()],
    ...recordOf(partRows.map(({ name, rows }) => [name, rows.map(shownRow)])),
  };
}

/**
 * Whether the cards of a selection are found by testing each; an index has those without due date.
 */
const isMatching = ({ due, ...others }: CardSelection) =>
  hasConditions(due === "none" ? others : { due, ...others });

/** The statement that finds the cards of a selection. */
const cardsOf = (selection: CardSelection) => {
  if (isMatching(selection)) return statements.matchingCards;
  return selection.due === "none" ? statements.undatedCards : statements.firstCards;
};

/** A record without a static type: the declaration decides what it holds. */
const recordOf = (entries: unknown[][]) => Object.fromEntries(entries);

/** Reads the rows of a board; `countRows` only where the lists do not show all their cards. */
async function readRows(query: Query, boardId: bigint, selection: CardSelection) {
  const [hasFilter, isLimited] = [isMatching(selection), selection.cardLimit !== undefined];
  const counts = () =>
    query<{ id: bigint; count: number }>(statements.countsOf(boardId, selection));
  const reading = query<contents.BoardCardRow>(cardsOf(selection)(boardId, selection));
  const related = async () => {
    const ids = (await reading).map(({ id }) => id);
    // A new board has no cards, and a plan for tables that were small may read all that is on any.
    return ids.length === 0 ? [] : query<SummaryRow>(summaries(sql`c.id = ANY(${ids}::bigint[])`));
  };
  const [listRows, partRows, cardRows, summaryRows, countRows] = await Promise.all([
    query<contents.BoardListRow>(statements.listsOf(boardId, selection)),
    readParts(query, sql`${boardId}`),
    reading,
    related(),
    isLimited && !hasFilter ? counts() : undefined,
  ]);
  const rows = { listRows, partRows, cardRows, summaryRows };
  const isCut = !isLimited && !hasFilter && cardRows.length === maxCards;
  return { ...rows, countRows: isCut ? await counts() : countRows };
}
