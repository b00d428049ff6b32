import type { z } from "zod";
import type { Query } from "../../platform/db/query.ts";
import type { Board as BoardRow } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { columnText, type Texts } from "../../platform/db/texts.ts";
import { hasConditions, type CardSelection } from "../cards/filters.ts";
import { showBoard } from "../shown/boards.ts";
import type { Board } from "../../contract/resources/boards.ts";
import * as statements from "./contents-sql.ts";
import { maxRelations, relationIdsOf, relationIdsOn } from "../cards/relations-sql.ts";
import { cardParts } from "../parts/card.ts";
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
  const isComplete = cardRows.every((row) =>
    lists.has(columnText(row, statements.cardColumn.listId)),
  );
  if (!isComplete && readsLeft > 0)
    return readContents(query, boardId, prefix, selection, readsLeft - 1);
  const { relationRows, viewRows } = others;
  const views = new Map(
    [...partRows, ...viewRows].map(({ name, rows }) => [name, contents.readViews(rows)]),
  );
  const end = contents.endOfRelations(relationRows, views);
  const fitting = contents.countFitting(cardRows);
  const cards = await contents.addCards(lists, cardRows, {
    prefix,
    isMatching: isMatching(selection),
    fits: (row, nth) =>
      nth < fitting && (end === null || BigInt(columnText(row, statements.cardColumn.id)) < end),
  });
  contents.setCounts(lists, cardRows, others.countRows, isMatching(selection));
  await contents.addRelations(cards, relationRows, views);
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

type ViewRow = { id: bigint; rank: number; publicId: string };

/** A record without a static type: the declaration decides what it holds. */
const recordOf = (entries: unknown[][]) => Object.fromEntries(entries);

/** What cards show of parts that the board does not show itself. */
const viewed = Object.entries(cardParts).flatMap(([name, { summary }]) =>
  "views" in summary && summary.views ? [{ name, views: summary.views }] : [],
);

/** Reads the rows of a board; `countRows` only where the lists do not show all their cards. */
async function readRows(query: Query, boardId: bigint, selection: CardSelection) {
  const texts = (statement: Sql) => query<Texts>(statement.asTexts());
  const { lists, cardLimit, archived, due } = selection;
  const [hasFilter, isLimited] = [isMatching(selection), cardLimit !== undefined];
  const isAll = !isLimited && archived !== true && !hasFilter && (lists ?? due) === undefined;
  const relate = async (ofCards: Sql, ids?: string[]) => {
    const [relationRows, ...viewRows] = await Promise.all([
      texts(ofCards),
      ...viewed.map(async ({ name, views }) => ({
        name,
        rows: await query<ViewRow>(views(boardId, ids)),
      })),
    ]);
    return { relationRows, viewRows };
  };
  const counts = () =>
    query<{ id: bigint; count: number }>(statements.countsOf(boardId, selection));
  const reading = texts(cardsOf(selection)(boardId, selection));
  const ofShown = async () => {
    const ids = (await reading).map((row) => columnText(row, statements.cardColumn.id));
    return relate(relationIdsOf(ids), ids);
  };
  const [listRows, partRows, cardRows, related, countRows] = await Promise.all([
    query<contents.BoardListRow>(statements.listsOf(boardId, selection)),
    readParts(query, sql`${boardId}`),
    reading,
    isAll ? relate(relationIdsOn(boardId)) : ofShown(),
    isLimited && !hasFilter ? counts() : undefined,
  ]);
  const rows = { listRows, partRows, cardRows, countRows };
  const isCut = !isLimited && !hasFilter && cardRows.length === maxCards;
  if (isCut) rows.countRows = await counts();
  // The relations of a whole board are not those of the cards that fit into the answer.
  const isOther = isAll && related.relationRows.length === maxRelations;
  return { ...rows, ...(isOther ? await ofShown() : related) };
}
