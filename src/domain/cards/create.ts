import { z } from "zod";
import { cardFields } from "../../contract/fields/card.ts";
import { createShape } from "../../contract/fields/field.ts";
import { Card } from "../../contract/resources/cards.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cardPlacement, singlePlacement } from "../placement.ts";
import { addRelations, changesRelations, lockRelated, newRelations } from "../related/change.ts";
import { newSummary } from "./assemble.ts";
import { cardDetail, newCardDetail, plainCardDetail } from "./detail.ts";
import { insertNewCard } from "./insert.ts";
import { attachParts, newParts } from "./new-parts.ts";

const NewCard = z
  .strictObject({ ...createShape(cardFields), ...cardPlacement, ...newParts, ...newRelations })
  .refine(...singlePlacement("Card"));

/** Adds a card to a list, at the end unless the input has a placement. */
export const createCard = mutation("card.create", NewCard, {
  onReplay: (ctx) => cardDetail(ctx.tx.query, ctx.card, ctx),
  locksBefore: changesRelations,
  beforeLock: (ctx, input) => lockRelated(ctx, [], input),
})
  .meta(
    rest("Cards").post(
      "/cards",
      "Add a card to a list",
      "Adds a card at the end of a list, or at `index`, `beforeCardPublicId` or " +
        "`afterCardPublicId` (set at most one). Labels must belong to the board, and members to " +
        "the workspace. Returns 409 if a member cannot see the board because it is restricted, and " +
        "for `relations` as `relation.create` does.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    const { list, board, before: related, tx } = ctx;
    const card = await insertNewCard(tx, ctx, input);
    const hasRelations = changesRelations(input);
    if ((await attachParts(tx, card, input)) || hasRelations) {
      tx.emit("card.created", { card, list, board });
      if (hasRelations) await addRelations(ctx, { ...ctx, card }, related, input);
      return newCardDetail(tx.query, card, ctx);
    }
    // The insert has returned all that the event of a card with nothing on it shows.
    const { description, index } = card;
    const to = { listPublicId: list.publicId, boardPublicId: board.publicId, index };
    const shownCard = { ...newSummary(card, ctx), description };
    tx.emitNew("card.created", { card: shownCard, list, board, to }, list);
    return plainCardDetail(card, ctx);
  });
