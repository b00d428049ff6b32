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

const changeOf = ({ memberPublicId }: z.output<typeof Given>) => ({ remove: [memberPublicId] });

const readState = (query: Query, input: Input) =>
  readMemberState(query, input.cardPublicId, changeOf(input));

/** Unassigns a member from a card. */
export const removeCardMember = mutation("card.removeMember", Given, readState)
  .meta(
    rest("Cards").delete(
      "/cards/{cardPublicId}/members/{memberPublicId}",
      "Unassign a member from a card",
      "Unassigns a member from the card. A card without the member does not change.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    await changeMemberState(ctx, changeOf(input), await ctx.early);
    return changedCardDetail(ctx.tx, ctx.card, ctx);
  });
