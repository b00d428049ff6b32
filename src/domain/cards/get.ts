import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Card } from "../../contract/resources/cards.ts";
import { partsOfCard, readDetail } from "./detail.ts";

/** Reads a card. */
export const getCard = query("card.get", undefined, partsOfCard)
  .meta(
    rest("Cards").get(
      "/cards/{cardPublicId}",
      "Get a card",
      "Returns a card with its labels, members, checklists, attachments and counts. " +
        "`comment.list` returns its comments. A response has at most about 8 MB: of more " +
        "checklist items it shows the first, and `checklist.items` returns all.",
    ),
  )
  .output(Card)
  .query(({ ctx }) => readDetail(ctx.db.query, ctx.card, ctx, ctx.row));
