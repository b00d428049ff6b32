import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { ListWithCount } from "../../contract/resources/lists.ts";
import { viewList } from "../views/lists.ts";

/** Reads a list. */
export const getList = query("list.get")
  .meta(
    rest("Lists").get(
      "/lists/{listPublicId}",
      "Read a list",
      "A list, with the number of its cards that are not archived.",
    ),
  )
  .output(ListWithCount)
  .query(async ({ ctx: { list, board, db } }) => ({
    ...viewList(list),
    boardPublicId: board.publicId,
    cardCount: await db.card.count({
      where: { listId: list.id, deletedAt: null, archivedAt: null },
    }),
  }));
