import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { notFound } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { findAccessibleCard } from "./accessible-card.ts";
import { Card } from "../../contract/resources/cards.ts";
import { cardDetail } from "./detail.ts";

const Asked = z.strictObject({
  cardNumber: z
    .string()
    .regex(/^(?:[A-Za-z0-9]{1,10}-)?[1-9]\d{0,8}$/, "Must be a number such as ENG-12 or 12"),
});

/** The card that has a number in the workspace, or had it before its board moved away. */
export const getCardByNumber = query("card.getByNumber", Asked)
  .meta(
    rest("Cards").get(
      "/workspaces/{workspacePublicId}/cards/{cardNumber}",
      "Read a card by its number",
      "`ENG-12` or `12`: the prefix is not looked at. A number that the card had before its board moved to another workspace still finds it, for those who may see it there.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Card)
  .query(async ({ ctx, input }) => {
    const { db } = ctx;
    const number = Number(input.cardNumber.split("-").at(-1));
    const found = await findAccessibleCard(db.query, number, ctx);
    if (found === null) throw notFound("card");
    const card = await db.card.findUniqueOrThrow({ where: { id: found.id } });
    // The target is the workspace; the ETag is to be the card's.
    ctx.responseMeta.version = card.version;
    return cardDetail(db.query, card, { ...ctx, ...found });
  });
