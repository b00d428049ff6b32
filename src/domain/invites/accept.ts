import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { adminOnly, systemRoles } from "../../contract/vocabulary/permissions.ts";
import { requireVerifiedEmail } from "../../kernel/access/verified-email.ts";
import { checkLimit } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { conflict, forbidden, notFound } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { upsertMember } from "../members/upsert.ts";
import { viewMember } from "../views/members.ts";
import { withAccessChanges } from "../access-changes.ts";
import { byCode } from "../members/invite-code.ts";
import { creatorCanGive } from "./creator.ts";
import { isActive } from "../views/invites.ts";

const Acceptance = z.strictObject({ inviteCode: z.string().min(12).max(64) });
const Accepted = z
  .object({ workspacePublicId: z.string(), workspaceSlug: z.string(), memberPublicId: z.string() })
  .meta({ id: "AcceptedInvite" });

/** Joins a workspace with an invite link or a mailed invite code. */
export const acceptInvite = mutation("invite.accept", Acceptance)
  .meta(
    rest("Invites").post(
      "/invites/accept",
      "Accept an invite",
      "Joins the workspace of an invite link, or of an invite code that was mailed to the " +
        "caller. A removed member cannot use a link that is older than the removal. A mailed " +
        "code is 403 while the caller's address is not verified, where the server verifies " +
        "addresses.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Accepted)
  .mutation(async ({ ctx: { caller, deps, tx }, input }) => {
    const invite = await findActiveInvite(tx, input.inviteCode);
    const { workspace } = invite;
    const rows = await tx.prisma.member.findMany({
      where: {
        workspaceId: workspace.id,
        OR: [{ userId: caller.userId }, { email: caller.email }],
      },
    });
    const mine = rows.find((row) => row.userId === caller.userId) ?? rows[0];
    if (mine?.status === "active")
      throw conflict("already_member", "You are already a member of this workspace.");
    const personal = invite.memberId !== null;
    // A removed member may know the links that existed before the removal.
    if (!personal && mine?.removedAt && invite.createdAt < mine.removedAt) {
      throw forbidden(
        "invite_outdated",
        "You were removed after this link was created. Ask for a new link.",
      );
    }
    if (personal && invite.memberId !== mine?.id) throw notFound("invite");
    const byAddress = personal || (mine !== undefined && mine.userId !== caller.userId);
    if (byAddress) await requireVerifiedEmail(deps.config, tx.prisma, caller.userId);
    if (mine?.status !== "invited") await checkLimit(tx, "members", workspace.id);
    const roleId = personal && mine !== undefined ? mine.roleId : invite.roleId;
    const scope = { userId: caller.userId, workspaceId: workspace.id };
    tx.workspaceId = workspace.id;
    const member = await withAccessChanges(tx, scope, [workspace.id], async () => {
      const joined = await upsertMember(tx, workspace.id, mine, {
        userId: caller.userId,
        email: caller.email,
        status: "active",
        roleId,
        joinedAt: tx.now,
        removedAt: null,
      });
      await removeOverrides(tx, joined.id, roleId, mine?.status === "invited");
      // A returning member has no board memberships.
      if (mine?.status === "removed")
        await tx.prisma.boardMember.deleteMany({ where: { memberId: joined.id } });
      tx.emit("member.joined", { member: viewMember(joined, false) });
      return joined;
    });
    await tx.prisma.invite.update({
      where: { id: invite.id },
      data: { uses: { increment: 1 }, ...(personal ? { deactivatedAt: tx.now } : {}) },
    });
    return {
      workspacePublicId: workspace.publicId,
      workspaceSlug: workspace.slug,
      memberPublicId: member.publicId,
    };
  });

/** Finds an active invite and locks its workspace, so that uses are counted exactly. Else 404. */
async function findActiveInvite(tx: UnitOfWork, code: string) {
  const where = byCode(code);
  const known = await tx.prisma.invite.findUnique({ where, select: { workspaceId: true } });
  if (known === null) throw notFound("invite");
  const [workspaceId] = await tx.lock("workspaces", [known.workspaceId]);
  const invite = await tx.prisma.invite.findUnique({
    where,
    include: { workspace: true, role: true },
  });
  const isOpen =
    workspaceId !== undefined &&
    invite !== null &&
    isActive(invite, tx.now) &&
    (await creatorCanGive(tx.prisma, invite, invite.role));
  if (!isOpen) throw notFound("invite");
  return invite;
}

/** Removes earlier overrides. Those of an invited member stay, within what the role may have. */
async function removeOverrides(
  tx: UnitOfWork,
  memberId: bigint,
  roleId: bigint,
  wasInvited: boolean,
) {
  const role = await tx.prisma.role.findUniqueOrThrow({ where: { id: roleId } });
  if (wasInvited && role.hierarchyLevel === systemRoles.admin.level) return;
  const excess = { granted: true, permission: { in: [...adminOnly] } };
  await tx.prisma.memberOverride.deleteMany({
    where: { memberId, ...(wasInvited ? excess : {}) },
  });
}
