import { query } from "../../kernel/procedures/query.ts";
import { Activity } from "../../contract/resources/activity.ts";
import { activityPage } from "../../kernel/events/activity.ts";
import { viewerOf } from "../../kernel/access/visibility.ts";
import { Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Lists the history of a card, newest first. */
export const listCardActivities = query("card.activities", Page)
  .meta(
    rest("Cards").get(
      "/cards/{cardPublicId}/activities",
      "List a card's activities",
      "Returns the history of a card, newest first. Activities about comments require " +
        "`comment:view`. What happened on boards that the caller cannot see is left out.",
    ),
  )
  .output(pageOf(Activity))
  .query(({ ctx, input }) => {
    const { card, workspace, membership, db, deps } = ctx;
    const reader = { ...viewerOf(ctx), workspaceId: workspace.id, may: membership.may };
    return activityPage(db.query, deps.seal, { card: card.publicId }, reader, input);
  });
