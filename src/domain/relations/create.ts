import { z } from "zod";
import { Card } from "../../contract/resources/cards.ts";
import { RelationKind } from "../../contract/resources/relations.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cardDetail } from "../cards/detail.ts";
import { lockBothCards } from "../cards/lock-both-cards.ts";
import { cardWithNumber, isNumber } from "../related/ends.ts";
import { relate } from "../related/relate.ts";
import { RelatedCardName } from "../related/related-card-name.ts";

const Input = z.strictObject({ kind: RelationKind, relatedCardPublicId: RelatedCardName });

/** Relates a card to another one. */
export const createRelation = mutation("relation.create", Input, {
  beforeLock: async (ctx, { relatedCardPublicId: named }) =>
    lockBothCards(ctx, isNumber(named) ? await cardWithNumber(ctx, named) : named),
})
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/relations",
      "Relate a card to another",
      "Says what a card is to another card of the workspace, which may be on another board: " +
        "`blocks`, `parent`, `relates`, `duplicates`, or the inverse of one. Both cards require " +
        "`card:edit`. If the cards have this relation already, nothing changes. Returns 409 if a " +
        "card would block, contain or duplicate itself, and names the cards on the way; if the " +
        "child has a parent already, or would have more than 5 parents above it; or if a card has " +
        "100 relations.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    const { card, workspace, caller, before: other, tx } = ctx;
    await relate({ tx, caller, workspaceId: workspace.id }, ctx, { kind: input.kind, other });
    return cardDetail(tx.query, card, ctx);
  });
