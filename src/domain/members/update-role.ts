import { z } from "zod";
import { adminOnly } from "../../contract/vocabulary/permissions.ts";
import { checkAbove, checkGivable } from "../../kernel/access/hierarchy.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { conflict } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { keepAnAdmin } from "./last-admin.ts";
import { namedRole, oneRole, oneRoleFault, roleFields } from "./role-of.ts";
import { memberSelect } from "../views/member-select.ts";
import { viewMember } from "../views/members.ts";

const Update = z
  .strictObject(roleFields)
  .refine(oneRole, oneRoleFault)
  .refine(({ role, rolePublicId }) => role !== undefined || rolePublicId !== undefined, {
    error: "One of rolePublicId and role must be given",
    path: ["role"],
  });
const Updated = z.object({ success: z.boolean(), role: z.string() }).meta({ id: "UpdatedRole" });

/** Gives a member another role, in force from their next call. */
export const updateMemberRole = mutation("member.updateRole", Update)
  .meta(
    rest("Workspaces").put(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}/role",
      "Give a member another role",
      "Needs a role above the member's own (admins: at least equal), and the new one may not be above the caller's. Nobody raises themselves; the last active admin stays one.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Updated)
  .mutation(async ({ ctx: { workspace, member, membership, tx }, input }) => {
    const role = await namedRole(tx, workspace.id, input);
    const before = await tx.prisma.role.findUniqueOrThrow({ where: { id: member.roleId } });
    if (member.id !== membership.id) checkAbove(membership, before.hierarchyLevel);
    checkGivable(membership, role);
    if (member.status === "removed") throw conflict("The member has been removed.");
    if (role.id === before.id) return { success: true, role: role.name };
    await keepAnAdmin(tx, member, before);
    if (role.hierarchyLevel < before.hierarchyLevel) {
      // What only admins may hold, even by a grant of their own, ends with being one.
      const permission = { in: [...adminOnly] };
      await tx.prisma.memberOverride.deleteMany({
        where: { memberId: member.id, granted: true, permission },
      });
    }
    const after = await tx.prisma.member.update({
      where: { id: member.id },
      data: { roleId: role.id, version: { increment: 1 }, updatedAt: tx.now },
      select: memberSelect,
    });
    tx.emit(
      "member.role_changed",
      { member: viewMember(after, false) },
      { role: { from: before.name, to: role.name } },
    );
    return { success: true, role: role.name };
  });
