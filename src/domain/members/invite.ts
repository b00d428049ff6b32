import { z } from "zod";
import { checkAbove, checkGivable } from "../../kernel/access/hierarchy.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { conflict } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sendCode } from "./send-invite.ts";
import { Email } from "../../contract/vocabulary/email.ts";
import { placeMember } from "./membership.ts";
import { namedRole, oneRole, oneRoleFault, roleFields } from "./role-of.ts";
import { Member } from "../../contract/resources/members.ts";
import { viewMember } from "../views/members.ts";

const Invitation = z.strictObject({ email: Email, ...roleFields }).refine(oneRole, oneRoleFault);

/** Invites an address: a member who may do nothing yet, and a mail with a code that only this address' account can use. */
export const inviteMember = mutation("member.invite", Invitation)
  .meta(
    rest("Workspaces").post(
      "/workspaces/{workspacePublicId}/members/invite",
      "Invite somebody by mail",
      "The role may not be above the caller's own, nor hold what the caller does not. Inviting again sends a new mail, and the code of the one before stops working.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Member)
  .mutation(async ({ ctx, input }) => {
    const { workspace, membership, caller, tx } = ctx;
    const { email } = input;
    const role = await namedRole(tx, workspace.id, input);
    checkGivable(membership, role);
    const user = await tx.prisma.user.findUnique({ where: { email }, select: { id: true } });
    const rows = await tx.prisma.member.findMany({
      where: {
        workspaceId: workspace.id,
        OR: [{ email }, ...(user === null ? [] : [{ userId: user.id }])],
      },
      include: { role: true },
    });
    const known =
      rows.find((row) => row.status === "active") ??
      rows.find((row) => row.email === email) ??
      rows[0];
    if (known?.status === "active") throw conflict("This address is a member already.", ["email"]);
    if (known?.status === "invited" && known.roleId !== role.id) {
      checkAbove(membership, known.role.hierarchyLevel);
    }
    if (known?.status !== "invited") await checkLimit(tx, "members", workspace.id);
    const member = await placeMember(tx, workspace.id, known, {
      email,
      roleId: role.id,
      status: "invited",
      invitedById: caller.userId,
      removedAt: null,
    });
    await sendCode(ctx, member, role.id);
    tx.emit("member.invited", { member: viewMember(member, false) });
    return viewMember(member, true);
  });
