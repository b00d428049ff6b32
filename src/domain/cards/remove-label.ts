import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { Card } from "../../contract/resources/cards.ts";
import { rest } from "../../kernel/request/rest.ts";
import { changeCardLabels } from "./change-labels.ts";
import { changedCardDetail } from "./detail.ts";

const Input = z.strictObject({ labelPublicId: inputId("label") });

/** Removes a label from a card that has it. */
export const removeCardLabel = mutation("card.removeLabel", Input)
  .meta(
    rest("Cards").delete(
      "/cards/{cardPublicId}/labels/{labelPublicId}",
      "Remove a label from a card",
      "Removes a label of the board from a card. If the card does not have the label, nothing " +
        "changes.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    await changeCardLabels(ctx.tx, ctx.card, ctx, { remove: [input.labelPublicId] });
    return changedCardDetail(ctx.tx, ctx.card, ctx);
  });
