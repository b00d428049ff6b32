import { query } from "../../kernel/procedures/query.ts";
import { Activity } from "../../contract/resources/activity.ts";
import { activityPage } from "../../kernel/events/activity.ts";
import { viewerOf } from "../../kernel/access/visibility.ts";
import { Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Lists the history of a board, newest first. */
export const boardActivity = query("board.activity", Page)
  .meta(
    rest("Boards").get(
      "/boards/{boardPublicId}/activities",
      "List a board's activities",
      "Returns the history of a board and everything on it, newest first. Activities about " +
        "lists, cards and comments require `list:view`, `card:view` and `comment:view`.",
    ),
  )
  .output(pageOf(Activity))
  .query(({ ctx, input }) => {
    const { board, workspace, membership, db, deps } = ctx;
    const reader = { ...viewerOf(ctx), workspaceId: workspace.id, may: membership.may };
    return activityPage(db.query, deps.seal, { board: board.publicId }, reader, input);
  });
