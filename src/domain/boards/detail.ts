import type { z } from "zod";
import { boardCards } from "../cards/summaries.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Board as BoardRow, List as ListRow } from "../../platform/db/rows.ts";
import { viewList } from "../views/lists.ts";
import type { Wanted } from "../cards/filters.ts";
import { viewBoard } from "../views/boards.ts";
import type { Board } from "../../contract/resources/boards.ts";
import { sql } from "../../platform/db/sql.ts";

type Whole = z.infer<typeof Board>;

const lists = (boardId: bigint, withArchived: boolean, listPublicIds: string[] | null) =>
  sql`SELECT * FROM lists WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL AND (${withArchived}
    OR "archivedAt" IS NULL)
  AND (${listPublicIds}::text[] IS NULL OR "publicId" = ANY(${listPublicIds})) ORDER BY position`;
const labels = (boardId: bigint) =>
  sql`SELECT "publicId", name, "colourCode" FROM labels
    WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL ORDER BY name, id`;

/** A board with its labels, its lists and of their cards those that are wanted, in four queries put together here. */
export async function boardDetail(
  query: Query,
  board: BoardRow,
  workspace: { publicId: string },
  wanted: Wanted = {},
): Promise<Whole> {
  const [rows, boardLabels, { cards, counts }] = await read(query, board.id, wanted);
  const byList = new Map<string, Whole["lists"][number]["cards"]>();
  for (const card of cards) {
    const those = byList.get(card.listPublicId);
    if (those === undefined) byList.set(card.listPublicId, [card]);
    else those.push(card);
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

const mostReads = 3;

/** Reads lists and cards side by side; again when a list has come between the two, so that no card is shown nowhere. */
async function read(
  query: Query,
  boardId: bigint,
  wanted: Wanted,
  left = mostReads - 1,
): Promise<[ListRow[], Whole["labels"], Awaited<ReturnType<typeof boardCards>>]> {
  const parts = await Promise.all([
    query<ListRow>(lists(boardId, wanted.archived ?? false, wanted.lists ?? null)),
    query<Whole["labels"][number]>(labels(boardId)),
    boardCards(query, boardId, wanted),
  ]);
  const [rows, , { counts }] = parts;
  const known = new Set(rows.map(({ publicId }) => publicId));
  const isWhole = [...counts.keys()].every((list) => known.has(list));
  return isWhole || left === 0 ? parts : read(query, boardId, wanted, left - 1);
}
