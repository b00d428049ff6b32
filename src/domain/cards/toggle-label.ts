import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Query } from "../../platform/db/query.ts";
import { changeCardLabels, readCardLabels } from "./change-labels.ts";
import { cardWithId, noteState, readSurroundings } from "./surroundings.ts";
import { cardRepresentation } from "./detail.ts";

const Toggle = z.strictObject({ labelPublicId: PublicId });
const Toggled = z.object({ newLabel: z.boolean() }).meta({ id: "ToggledLabel" });

type Input = z.output<typeof Toggle> & { cardPublicId: string };

/** Reads, behind the lock of the card, what its state shows and the label. */
const readState = (query: Query, { cardPublicId, labelPublicId }: Input) => {
  const isCard = cardWithId(cardPublicId);
  const reading = [
    readCardLabels(query, isCard, { toggle: [labelPublicId] }),
    readSurroundings(query, isCard),
  ] as const;
  return Promise.all(reading);
};

/** Adds a label to a card, or removes it when the card has it. */
export const toggleCardLabel = mutation("card.toggleLabel", Toggle, cardRepresentation, readState)
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}/labels/{labelPublicId}",
      "Add or remove a card's label",
      "Adds a label of the board to the card, or removes it when the card has it. `newLabel` is " +
        "true when the label was added.",
    ),
  )
  .output(Toggled)
  .mutation(async ({ ctx, input }) => {
    const { card, list, board, tx } = ctx;
    const change = { toggle: [input.labelPublicId] };
    const [found, surroundings] = await ctx.early;
    const added = await changeCardLabels(tx, card, { card, list, board }, change, found);
    const isToggled = ({ publicId }: { publicId: string }) => publicId === input.labelPublicId;
    const labels = found
      .filter((label) => label.isOnCard !== isToggled(label))
      .map(({ publicId, name, colourCode }) => ({ publicId, name, colourCode }));
    noteState(tx, card, ctx, surroundings, { labels });
    return { newLabel: added.length > 0 };
  });
