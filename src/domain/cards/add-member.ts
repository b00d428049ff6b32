import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { Card } from "../../contract/resources/cards.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Query } from "../../platform/db/query.ts";
import { changeMemberState, readMemberState } from "./change-members.ts";
import { changedCardDetail } from "./detail.ts";

const Given = z.strictObject({ memberPublicId: PublicId });

type Input = z.output<typeof Given> & { cardPublicId: string };

const changeOf = ({ memberPublicId }: z.output<typeof Given>) => ({ add: [memberPublicId] });

const readState = (query: Query, input: Input) =>
  readMemberState(query, input.cardPublicId, changeOf(input));

/** Assigns a member to a card. */
export const addCardMember = mutation("card.addMember", Given, readState)
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/members",
      "Assign a member to a card",
      "Assigns a member of the workspace to the card. An assigned member stays assigned. 409 " +
        "when the member cannot see the restricted board.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    await changeMemberState(ctx, changeOf(input), await ctx.early);
    return changedCardDetail(ctx.tx, ctx.card, ctx);
  });
