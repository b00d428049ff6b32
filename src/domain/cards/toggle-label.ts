import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { changeCardLabels } from "./change-labels.ts";

const Toggle = z.strictObject({ labelPublicId: PublicId });
const Toggled = z.object({ newLabel: z.boolean() }).meta({ id: "ToggledLabel" });

/** Adds a label to a card, or removes it when the card has it. */
export const toggleCardLabel = mutation("card.toggleLabel", Toggle)
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}/labels/{labelPublicId}",
      "Add or remove a card's label",
      "Adds a label of the board to a card, or removes it if the card has it. `newLabel` is true " +
        "if the label was added.",
    ),
  )
  .output(Toggled)
  .mutation(async ({ ctx, input }) => {
    const { added } = await changeCardLabels(ctx.tx, ctx.card, ctx, {
      toggle: [input.labelPublicId],
    });
    return { newLabel: added.length > 0 };
  });
