import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { ToggledMember } from "../../contract/resources/cards.ts";
import { rest } from "../../kernel/request/rest.ts";
import { changeCardMembers } from "./change-members.ts";
import { changedCardDetail } from "./detail.ts";

const Toggle = z.strictObject({ memberPublicId: inputId("member") });

/** Assigns a member to a card, or unassigns them when they are assigned. */
export const toggleCardMember = mutation("card.toggleMember", Toggle)
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}/members/{memberPublicId}",
      "Assign or unassign a member",
      "Assigns a member to a card, or unassigns them if they are assigned. `newMember` is true " +
        "if the member was assigned. Returns 409 if the member cannot see the restricted board.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(ToggledMember)
  .mutation(async ({ ctx, input }) => {
    const { added } = await changeCardMembers(ctx.tx, ctx.card, ctx, {
      toggle: [input.memberPublicId],
    });
    const detail = await changedCardDetail(ctx.tx, ctx.card, ctx);
    return { ...detail, newMember: added.length > 0 };
  });
