import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { Card } from "../../contract/resources/cards.ts";
import { rest } from "../../kernel/request/rest.ts";
import { changeCardMembers } from "./change-members.ts";
import { changedCardDetail } from "./detail.ts";

const Input = z.strictObject({ memberPublicId: inputId("member") });

/** Unassigns a member from a card. */
export const removeCardMember = mutation("card.removeMember", Input)
  .meta(
    rest("Cards").delete(
      "/cards/{cardPublicId}/members/{memberPublicId}",
      "Unassign a member from a card",
      "Unassigns a member from a card. If the member is not assigned, nothing changes.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    await changeCardMembers(ctx.tx, ctx.card, ctx, { remove: [input.memberPublicId] });
    return changedCardDetail(ctx.tx, ctx.card, ctx);
  });
