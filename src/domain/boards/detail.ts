import type { z } from "zod";
import { boardCards } from "../cards/summaries.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Board as BoardRow, List as ListRow } from "../../platform/db/rows.ts";
import { viewList } from "../views/lists.ts";
import type { CardSelection } from "../cards/filters.ts";
import { viewBoard } from "../views/boards.ts";
import type { Board } from "../../contract/resources/boards.ts";
import { sql } from "../../platform/db/sql.ts";

type BoardDetail = z.infer<typeof Board>;

const lists = (boardId: bigint, withArchived: boolean, publicIds: string[] | null) =>
  sql`SELECT * FROM lists
  WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL AND (${withArchived} OR "archivedAt" IS NULL)
    AND (${publicIds}::text[] IS NULL OR "publicId" = ANY(${publicIds})) ORDER BY position`;
const labels = (boardId: bigint) =>
  sql`SELECT "publicId", name, "colourCode" FROM labels
  WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL ORDER BY name, id`;

/** A board with its labels, and its lists with the selected cards, in four queries. */
export async function boardDetail(
  query: Query,
  board: BoardRow,
  workspace: { publicId: string },
  selection: CardSelection = {},
): Promise<BoardDetail> {
  const [rows, boardLabels, { cards, counts }] = await read(query, board.id, selection);
  const byList = new Map<string, BoardDetail["lists"][number]["cards"]>();
  for (const card of cards) {
    const others = byList.get(card.listPublicId);
    if (others === undefined) byList.set(card.listPublicId, [card]);
    else others.push(card);
  }
  return {
    ...viewBoard(board),
    workspacePublicId: workspace.publicId,
    lists: rows.map((row) => ({
      ...viewList(row),
      cardCount: counts.get(row.publicId) ?? 0,
      cards: byList.get(row.publicId) ?? [],
    })),
    labels: boardLabels,
  };
}

const maxReads = 3;

/** Reads lists and cards concurrently; again when a list was added between the two queries. */
async function read(
  query: Query,
  boardId: bigint,
  selection: CardSelection,
  readsLeft = maxReads - 1,
): Promise<[ListRow[], BoardDetail["labels"], Awaited<ReturnType<typeof boardCards>>]> {
  const parts = await Promise.all([
    query<ListRow>(lists(boardId, selection.archived ?? false, selection.lists ?? null)),
    query<BoardDetail["labels"][number]>(labels(boardId)),
    boardCards(query, boardId, selection),
  ]);
  const [rows, , { counts }] = parts;
  const known = new Set(rows.map(({ publicId }) => publicId));
  const isComplete = [...counts.keys()].every((list) => known.has(list));
  return isComplete || readsLeft === 0 ? parts : read(query, boardId, selection, readsLeft - 1);
}
