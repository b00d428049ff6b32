import { query } from "../../kernel/procedures/query.ts";
import { Activity } from "../../contract/resources/activity.ts";
import { activityPage } from "../../kernel/events/activity.ts";
import { Page, pageOf } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Lists the history of a card, newest first. */
export const listCardActivities = query("card.activities", Page)
  .meta(
    rest("Cards").get(
      "/cards/{cardPublicId}/activities",
      "List a card's activities",
      "The history of a card, newest first. Activities about comments need comment:view.",
    ),
  )
  .output(pageOf(Activity))
  .query(({ ctx: { card, membership, db, deps }, input }) =>
    activityPage(db.query, deps.seal, { card: card.publicId }, membership.may, input),
  );
