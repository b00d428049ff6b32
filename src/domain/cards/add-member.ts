import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { Card } from "../../contract/resources/cards.ts";
import { rest } from "../../kernel/request/rest.ts";
import { changeCardMembers } from "./change-members.ts";
import { changedCardDetail } from "./detail.ts";

const Input = z.strictObject({ memberPublicId: inputId("member") });

/** Assigns a member to a card. */
export const addCardMember = mutation("card.addMember", Input)
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/members",
      "Assign a member to a card",
      "Assigns a member of the workspace to a card. If the member is already assigned, nothing " +
        "changes. Returns 409 if the member cannot see the restricted board.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    await changeCardMembers(ctx.tx, ctx.card, ctx, { add: [input.memberPublicId] });
    return changedCardDetail(ctx.tx, ctx.card, ctx);
  });
