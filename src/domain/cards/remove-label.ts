import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { Card } from "../../contract/resources/cards.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Query } from "../../platform/db/query.ts";
import { changeLabelState, readLabelState } from "./change-labels.ts";
import { changedCardDetail } from "./detail.ts";

const Given = z.strictObject({ labelPublicId: PublicId });

type Input = z.output<typeof Given> & { cardPublicId: string };

const changeOf = ({ labelPublicId }: z.output<typeof Given>) => ({ remove: [labelPublicId] });

const readState = (query: Query, input: Input) =>
  readLabelState(query, input.cardPublicId, changeOf(input));

/** Removes a label from a card that has it. */
export const removeCardLabel = mutation("card.removeLabel", Given, readState)
  .meta(
    rest("Cards").delete(
      "/cards/{cardPublicId}/labels/{labelPublicId}",
      "Remove a label from a card",
      "Removes a label of the board from the card. A card without the label does not change.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    await changeLabelState(ctx, changeOf(input), await ctx.early);
    return changedCardDetail(ctx.tx, ctx.card, ctx);
  });
