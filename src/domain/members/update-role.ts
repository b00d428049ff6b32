import { z } from "zod";
import { adminOnly } from "../../contract/vocabulary/permissions.ts";
import { checkAbove, checkGivable } from "../../kernel/access/hierarchy.ts";
import { mayWrite } from "../../kernel/procedures.ts";
import { conflict } from "../../platform/errors.ts";
import { rest } from "../../kernel/rest.ts";
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
export const updateMemberRole = mayWrite("member.updateRole", Update)
  .meta(
    rest("Workspaces").put(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}/role",
      "Give a member another role",
      "Needs a role above the member's own (admins: at least equal), and the new one may not be above the caller's. Nobody raises themselves; the last active admin stays one.",
      { fails: ["NOT_FOUND"] },
    ),
  )
  .output(Updated)
  .mutation(async ({ ctx: { workspace, member, standing, work }, input }) => {
    const role = await namedRole(work, workspace.id, input);
    const before = await work.tx.role.findUniqueOrThrow({ where: { id: member.roleId } });
    if (member.id !== standing.id) checkAbove(standing, before.hierarchyLevel);
    checkGivable(standing, role);
    if (member.status === "removed") throw conflict("The member has been removed.");
    if (role.id === before.id) return { success: true, role: role.name };
    await keepAnAdmin(work, member, before);
    if (role.hierarchyLevel < before.hierarchyLevel) {
      // What only admins may hold, even by a grant of their own, ends with being one.
      const permission = { in: [...adminOnly] };
      await work.tx.memberOverride.deleteMany({
        where: { memberId: member.id, granted: true, permission },
      });
    }
    const after = await work.tx.member.update({
      where: { id: member.id },
      data: { roleId: role.id, version: { increment: 1 }, updatedAt: work.now },
      select: memberSelect,
    });
    work.emit(
      "member.role_changed",
      { member: viewMember(after, false) },
      { role: { from: before.name, to: role.name } },
    );
    return { success: true, role: role.name };
  });
