import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { changeCardLabels } from "./change-labels.ts";

const Toggle = z.strictObject({ labelPublicId: inputId("label") });
const Toggled = z
  .object({
    newLabel: z.boolean().meta({
      description: "True if the label was added, false if it was removed.",
      examples: [true],
    }),
  })
  .meta({
    id: "ToggledLabel",
    description: "Whether the label was added to the card or removed from it.",
  });

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
