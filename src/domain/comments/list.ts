import { query } from "../../kernel/procedures/query.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { Page, pageOf } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { authorsOf } from "./author.ts";
import { Comment } from "../../contract/resources/comments.ts";
import { viewComment } from "../views/comments.ts";

/** Lists the comments of a card, oldest first. */
export const listComments = query("comment.list", Page)
  .meta(
    rest("Cards").get(
      "/cards/{cardPublicId}/comments",
      "List the comments of a card",
      "The comments of a card, oldest first.",
    ),
  )
  .output(pageOf(Comment))
  .query(async ({ ctx: { card, workspace, db, deps }, input }) => {
    const pages = pagesById(deps.seal, `comments of ${card.id}`);
    const after = pages.after(input.cursor);
    const rows = await db.comment.findMany({
      where: {
        cardId: card.id,
        deletedAt: null,
        ...(after === undefined ? {} : { id: { gt: after } }),
      },
      orderBy: { id: "asc" },
      take: input.limit + 1,
    });
    const authorOf = await authorsOf(db.query, workspace.id, rows);
    return pages.page(rows, input.limit, (row) => viewComment(row, authorOf(row)));
  });
