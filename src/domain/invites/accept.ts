import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkLimit } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { conflict, forbidden, notFound } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { placeMember } from "../members/membership.ts";
import { viewMember } from "../views/members.ts";
import { isOpen } from "../views/invites.ts";

const Acceptance = z.strictObject({ inviteCode: z.string().min(12).max(64) });
const Accepted = z
  .object({ workspacePublicId: z.string(), workspaceSlug: z.string(), memberPublicId: z.string() })
  .meta({ id: "AcceptedInvite" });

/** Enters a workspace by its link, or takes up an invitation that was sent to the caller's address. */
export const acceptInvite = mutation("invite.accept", Acceptance)
  .meta(
    rest("Invites").post(
      "/invites/accept",
      "Join a workspace",
      "Enters a workspace by its link, or takes up an invitation that was sent to the caller's address. A link from before the caller was removed does not let them in again.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Accepted)
  .mutation(async ({ ctx: { caller, tx }, input }) => {
    const invite = await findOpen(tx, input.inviteCode);
    const { workspace } = invite;
    const rows = await tx.prisma.member.findMany({
      where: {
        workspaceId: workspace.id,
        OR: [{ userId: caller.userId }, { email: caller.email }],
      },
    });
    const mine = rows.find((row) => row.userId === caller.userId) ?? rows[0];
    if (mine?.status === "active") throw conflict("You are a member of this workspace already.");
    const personal = invite.memberId !== null;
    // Whoever was shown the door knows the links of that time: they open it no more.
    if (!personal && mine?.removedAt && invite.createdAt < mine.removedAt) {
      throw forbidden("You have been removed since this link was made: ask for a new one.");
    }
    if (personal && invite.memberId !== mine?.id) throw notFound("invite");
    if (mine?.status !== "invited") await checkLimit(tx, "members", workspace.id);
    const member = await placeMember(tx, workspace.id, mine, {
      userId: caller.userId,
      email: caller.email,
      status: "active",
      roleId: personal && mine !== undefined ? mine.roleId : invite.roleId,
      joinedAt: tx.now,
      removedAt: null,
    });
    await tx.prisma.memberOverride.deleteMany({ where: { memberId: member.id } });
    // Whoever comes back starts anew.
    if (mine?.status === "removed")
      await tx.prisma.boardMember.deleteMany({ where: { memberId: member.id } });
    await tx.prisma.invite.update({
      where: { id: invite.id },
      data: { uses: { increment: 1 }, ...(personal ? { deactivatedAt: tx.now } : {}) },
    });
    tx.workspaceId = workspace.id;
    tx.emit("member.joined", { member: viewMember(member, false) });
    return {
      workspacePublicId: workspace.publicId,
      workspaceSlug: workspace.slug,
      memberPublicId: member.publicId,
    };
  });

/** The invite of a code, its workspace locked, so that its uses are counted right; 404 when it lets nobody in (any more). */
async function findOpen(tx: UnitOfWork, code: string) {
  const where = { code };
  const known = await tx.prisma.invite.findUnique({ where, select: { workspaceId: true } });
  if (known === null) throw notFound("invite");
  const [workspaceId] = await tx.lock("workspaces", [known.workspaceId]);
  const invite = await tx.prisma.invite.findUnique({ where, include: { workspace: true } });
  if (workspaceId === undefined || invite === null || !isOpen(invite, tx.now))
    throw notFound("invite");
  return invite;
}
