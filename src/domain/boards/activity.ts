import { query } from "../../kernel/procedures/query.ts";
import { Activity } from "../../contract/resources/activity.ts";
import { activityPage } from "../../kernel/events/activity.ts";
import { Page, pageOf } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

/** What happened on a board, newest first. */
export const boardActivity = query("board.activity", Page)
  .meta(
    rest("Boards").get(
      "/boards/{boardPublicId}/activities",
      "Read the history of a board",
      "What happened on the board and everything on it, newest first. What happened to lists, cards or comments is only there for those who may read them.",
    ),
  )
  .output(pageOf(Activity))
  .query(({ ctx: { board, membership, db, deps }, input }) =>
    activityPage(db.query, deps.seal, { board: board.publicId }, membership.may, input),
  );
