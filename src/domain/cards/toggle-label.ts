import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Query } from "../../platform/db/query.ts";
import { changeLabelState, readLabelState } from "./change-labels.ts";

const Toggle = z.strictObject({ labelPublicId: PublicId });
const Toggled = z.object({ newLabel: z.boolean() }).meta({ id: "ToggledLabel" });

type Input = z.output<typeof Toggle> & { cardPublicId: string };

const changeOf = ({ labelPublicId }: z.output<typeof Toggle>) => ({ toggle: [labelPublicId] });

const readState = (query: Query, input: Input) =>
  readLabelState(query, input.cardPublicId, changeOf(input));

/** Adds a label to a card, or removes it when the card has it. */
export const toggleCardLabel = mutation("card.toggleLabel", Toggle, readState)
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
    const added = await changeLabelState(ctx, changeOf(input), await ctx.early);
    return { newLabel: added.length > 0 };
  });
