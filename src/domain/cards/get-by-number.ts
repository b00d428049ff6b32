import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { notFound } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { findAccessibleCard } from "./accessible-card.ts";
import { Card } from "../../contract/resources/cards.ts";
import { readDetail } from "./read-detail.ts";

const CardNumber = z.strictObject({
  cardNumber: z
    .string()
    .regex(/^(?:[A-Za-z0-9]{1,10}-)?[1-9][0-9]{0,8}$/, "Must be a number such as ENG-12 or 12")
    .meta({ description: "The card prefix and number, such as `ENG-12`.", examples: ["AE-12"] }),
});

/** Reads the card that has a number in the workspace, or had it before its board moved. */
export const getCardByNumber = query("card.getByNumber", CardNumber)
  .meta(
    rest("Cards").get(
      "/workspaces/{workspacePublicId}/cards/{cardNumber}",
      "Get a card by its number",
      "Returns a card by its number, `ENG-12` or `12`; the prefix is ignored. If its board was " +
        "moved to another workspace, the old number still finds the card, for callers with " +
        "access there.",
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
    // The target is the workspace, but the ETag belongs to the card.
    ctx.responseMeta.version = card.version;
    const detail = await readDetail(db.query, card, { ...ctx, ...found });
    return found.seesLabels ? detail : { ...detail, labels: [] };
  });
