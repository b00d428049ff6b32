import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { Card } from "../../contract/resources/cards.ts";
import { rest } from "../../kernel/request/rest.ts";
import { changeCardLabels } from "./change-labels.ts";
import { changedCardDetail } from "./detail.ts";

const Input = z.strictObject({ labelPublicId: inputId("label") });

/** Adds a label to a card that does not have it. */
export const addCardLabel = mutation("card.addLabel", Input)
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/labels",
      "Add a label to a card",
      "Adds a label of the board to a card. If the card already has the label, nothing changes.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    await changeCardLabels(ctx.tx, ctx.card, ctx, { add: [input.labelPublicId] });
    return changedCardDetail(ctx.tx, ctx.card, ctx);
  });
