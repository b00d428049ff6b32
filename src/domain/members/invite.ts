import { z } from "zod";
import { checkAbove, checkRoleAssignable } from "../../kernel/access/hierarchy.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { conflict } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sendInviteCode } from "./send-invite-code.ts";
import { Email } from "../../contract/vocabulary/email.ts";
import { upsertMember } from "./upsert.ts";
import { findRole, hasOneRole, oneRoleError, optionalRoleFields } from "./find-role.ts";
import { MemberDetail } from "../../contract/resources/members.ts";
import { showMember, showMemberDetail } from "../presenters/members.ts";

const Invitation = z
  .strictObject({ email: Email, ...optionalRoleFields })
  .refine(hasOneRole, oneRoleError);

/**
 * Invites an address.
 *
 * The invited member has no permissions until they accept with the mailed code.
 */
export const inviteMember = mutation("member.invite", Invitation)
  .meta(
    rest("Workspaces").post(
      "/workspaces/{workspacePublicId}/members/invite",
      "Invite a member by mail",
      "Invites a person to a workspace by mailing them a code. Inviting an address again sends a " +
        "new code; the old one stops working. The role must not rank above the caller's role or " +
        "have permissions that the caller lacks. Where the server verifies email addresses, it " +
        "returns 403 until the caller's is verified.",
      { errors: ["NOT_FOUND"], bodyFields: { max: 2 } },
    ),
  )
  .output(MemberDetail)
  .mutation(async ({ ctx, input }) => {
    const { workspace, membership, caller, tx } = ctx;
    const { email } = input;
    const role = await findRole(tx, workspace.id, input);
    checkRoleAssignable(membership, role);
    const user = await tx.prisma.user.findUnique({ where: { email }, select: { id: true } });
    const rows = await tx.prisma.member.findMany({
      where: {
        workspaceId: workspace.id,
        OR: [{ email }, ...(user === null ? [] : [{ userId: user.id }])],
      },
      include: { role: true },
    });
    const existing =
      rows.find((row) => row.status === "active") ??
      rows.find((row) => row.email === email) ??
      rows[0];
    if (existing?.status === "active")
      throw conflict("already_member", "A member with this email address exists already.", [
        "email",
      ]);
    if (existing?.status === "invited" && existing.roleId !== role.id) {
      checkAbove(membership, existing.role.hierarchyLevel);
    }
    if (existing?.status !== "invited") await checkLimit(tx, "members", workspace.id);
    const member = await upsertMember(tx, workspace.id, existing, {
      email,
      roleId: role.id,
      status: "invited",
      invitedById: caller.userId,
      removedAt: null,
    });
    await sendInviteCode(ctx, member, role.id);
    tx.emit("member.invited", { member: showMember(member, false) });
    return showMemberDetail(member, workspace, true);
  });
