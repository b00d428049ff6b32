import { query } from "../../kernel/procedures/query.ts";
import { Activity } from "../../contract/resources/activity.ts";
import { activityPage } from "../../kernel/events/activity.ts";
import { Page, pageOf } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

/** The history of a card, newest first. */
export const listCardActivities = query("card.activities", Page)
  .meta(
    rest("Cards").get(
      "/cards/{cardPublicId}/activities",
      "Read the history of a card",
      "What happened to a card, newest first; what was said in comments only for those who may read comments.",
    ),
  )
  .output(pageOf(Activity))
  .query(({ ctx: { card, membership, db, deps }, input }) =>
    activityPage(db.query, deps.seal, { card: card.publicId }, membership.may, input),
  );
