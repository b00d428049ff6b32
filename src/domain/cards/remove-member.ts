import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { Card } from "../../contract/resources/cards.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { changeCardMembers } from "./change-members.ts";
import { changedCardDetail } from "./detail.ts";

const Given = z.strictObject({ memberPublicId: PublicId });

/** Unassigns a member from a card. */
export const removeCardMember = mutation("card.removeMember", Given)
  .meta(
    rest("Cards").delete(
      "/cards/{cardPublicId}/members/{memberPublicId}",
      "Unassign a member from a card",
      "Unassigns a member from the card. A card without the member does not change.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    const { card, list, board, tx } = ctx;
    const change = { remove: [input.memberPublicId] };
    await changeCardMembers(tx, card, { card, list, board }, change);
    return changedCardDetail(tx, card, ctx);
  });
