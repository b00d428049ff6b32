import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkMembersSee } from "../../kernel/access/assignees.ts";
import { notFound } from "../../platform/errors.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { memberSelect } from "../views/member-select.ts";
import { viewMember } from "../views/members.ts";

const Toggle = z.strictObject({ memberPublicId: PublicId });
const Toggled = z.object({ newMember: z.boolean() }).meta({ id: "ToggledMember" });

/** Assigns a member to a card, or unassigns them when they are assigned. */
export const toggleCardMember = mutation("card.toggleMember", Toggle)
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}/members/{memberPublicId}",
      "Assign or unassign a member",
      "Assigns a member to the card, or unassigns them when they are assigned. `newMember` is " +
        "true when the member was assigned. 409 when the member cannot see the restricted board.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Toggled)
  .mutation(async ({ ctx: { card, list, board, workspace, tx }, input }) => {
    const member = await tx.prisma.member.findFirst({
      where: { publicId: input.memberPublicId, workspaceId: workspace.id },
      select: memberSelect,
    });
    if (member === null) throw notFound("member");
    const data = {
      card,
      list,
      board,
      member: viewMember(member, false),
    };
    const pair = { cardId: card.id, memberId: member.id };
    const { count } = await tx.prisma.cardMember.deleteMany({ where: pair });
    if (count > 0) {
      tx.emit("card.member_removed", data);
      return { newMember: false };
    }
    if (member.status === "removed") throw notFound("member");
    await checkMembersSee(tx.query, board.id, [member.id]);
    await tx.prisma.cardMember.create({
      data: { ...pair, workspaceId: workspace.id, createdAt: tx.now },
    });
    tx.emit("card.member_added", data);
    return { newMember: true };
  });
