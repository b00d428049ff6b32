import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Card } from "../../contract/resources/cards.ts";
import { cardDetail } from "./detail.ts";

/** One card with its labels, members, checklists and counts. */
export const getCard = query("card.get")
  .meta(
    rest("Cards").get(
      "/cards/{cardPublicId}",
      "Read a card",
      "One card with its labels, members, checklists and counts.",
    ),
  )
  .output(Card)
  .query(({ ctx }) => cardDetail(ctx.db.query, ctx.card, ctx));
