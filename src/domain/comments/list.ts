import { query } from "../../kernel/procedures/query.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { iso, Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { authorsOf } from "./author.ts";
import { Comment } from "../../contract/resources/comments.ts";
import { showComment } from "../presenters/comments.ts";

/** Lists the comments of a card, oldest first. */
export const listComments = query("comment.list", Page)
  .meta(
    rest("Cards").get(
      "/cards/{cardPublicId}/comments",
      "List the comments of a card",
      "Returns the comments of a card, oldest first.",
    ),
  )
  .output(pageOf(Comment))
  .query(async ({ ctx: { card, workspace, db, deps }, input }) => {
    const pages = pagesByKeys(deps.seal, `comments by time of ${card.id}`);
    const after = pages.after(input.cursor);
    const rows = await db.comment.findMany({
      where: { cardId: card.id, deletedAt: null, ...(after === undefined ? {} : behind(after)) },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      take: input.limit + 1,
    });
    const authorOf = await authorsOf(db.query, workspace.id, rows);
    const keyed = rows.map((row) => ({ ...row, keys: [iso(row.createdAt), String(row.id)] }));
    const page = pages.page(keyed, input.limit);
    const items = page.rows.map((row) => showComment(row, authorOf(row)));
    return { items, nextCursor: page.nextCursor };
  });

/** The comments behind a cursor. An import adds comments that are older than existing ones. */
function behind([moment, id]: (string | null)[]) {
  const createdAt = new Date(moment ?? "");
  return { OR: [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: BigInt(id ?? 0) } }] };
}
