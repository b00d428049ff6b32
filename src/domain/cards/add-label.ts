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

const changeOf = ({ labelPublicId }: z.output<typeof Given>) => ({ add: [labelPublicId] });

const readState = (query: Query, input: Input) =>
  readLabelState(query, input.cardPublicId, changeOf(input));

/** Adds a label to a card that does not have it. */
export const addCardLabel = mutation("card.addLabel", Given, readState)
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/labels",
      "Add a label to a card",
      "Adds a label of the board to the card. A card that has the label does not change.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    await changeLabelState(ctx, changeOf(input), await ctx.early);
    return changedCardDetail(ctx.tx, ctx.card, ctx);
  });
