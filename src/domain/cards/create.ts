import { z } from "zod";
import { cardFields } from "../../contract/fields/card.ts";
import { givenToCreate } from "../../contract/fields/field.ts";
import { Card } from "../../contract/resources/cards.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cardPlacement, singlePlacement } from "../placement.ts";
import { newSummary } from "./assemble.ts";
import { cardDetail, newCardDetail, plainCardDetail } from "./detail.ts";
import { insertNewCard } from "./insert.ts";
import { attachRelations, newRelations } from "./relations.ts";

const NewCard = z
  .strictObject({ ...givenToCreate(cardFields), ...cardPlacement, ...newRelations })
  .refine(...singlePlacement("Card"));

/** Adds a card to a list, at the end unless the input has a placement. */
export const createCard = mutation("card.create", NewCard, {
  again: (ctx) => cardDetail(ctx.tx.query, ctx.card, ctx),
})
  .meta(
    rest("Cards").post(
      "/cards",
      "Add a card to a list",
      "Adds a card at the end of a list, or at `index`, `beforeCardPublicId` or " +
        "`afterCardPublicId` (set at most one). Labels must belong to the board, and members to " +
        "the workspace. Returns 409 if a member cannot see the board because it is restricted.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    const { list, board, tx } = ctx;
    const card = await insertNewCard(tx, ctx, input);
    if (await attachRelations(tx, card, input)) {
      tx.emit("card.created", { card, list, board });
      return newCardDetail(tx.query, card, ctx);
    }
    // The insert has returned all that the event of a card with nothing on it shows.
    const { description, index } = card;
    const to = { listPublicId: list.publicId, boardPublicId: board.publicId, index };
    const shownCard = { ...newSummary(card, ctx), description };
    tx.emitNew("card.created", { card: shownCard, list, board, to }, list);
    return plainCardDetail(card, ctx);
  });
