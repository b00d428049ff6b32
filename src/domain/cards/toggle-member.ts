import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { ToggledMember } from "../../contract/resources/cards.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Query } from "../../platform/db/query.ts";
import { changeMemberState, readMemberState } from "./change-members.ts";
import { changedCardDetail } from "./detail.ts";

const Toggle = z.strictObject({ memberPublicId: PublicId });

type Input = z.output<typeof Toggle> & { cardPublicId: string };

const changeOf = ({ memberPublicId }: z.output<typeof Toggle>) => ({ toggle: [memberPublicId] });

const readState = (query: Query, input: Input) =>
  readMemberState(query, input.cardPublicId, changeOf(input));

/** Assigns a member to a card, or unassigns them when they are assigned. */
export const toggleCardMember = mutation("card.toggleMember", Toggle, readState)
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}/members/{memberPublicId}",
      "Assign or unassign a member",
      "Assigns a member to the card, or unassigns them when they are assigned. `newMember` is " +
        "true when the member was assigned. 409 when the member cannot see the restricted board.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(ToggledMember)
  .mutation(async ({ ctx, input }) => {
    const added = await changeMemberState(ctx, changeOf(input), await ctx.early);
    const detail = await changedCardDetail(ctx.tx, ctx.card, ctx);
    return { ...detail, newMember: added.length > 0 };
  });
