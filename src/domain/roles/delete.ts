import { z } from "zod";
import { checkAbove, checkRoleAssignable } from "../../kernel/access/hierarchy.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { conflict, notFound } from "../../platform/errors.ts";
import { PublicId, success, Success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { memberSelect } from "../presenters/member-select.ts";
import { showMember } from "../presenters/members.ts";
import { showRole } from "../presenters/roles.ts";
import { withAccessChanges } from "../access-changes.ts";

const Deletion = z.strictObject({
  moveMembersTo: PublicId.meta({
    description: "Public id of the role that the members of the deleted role get.",
    examples: ["r2h7e4i1r9s5"],
  }),
});

/** Deletes a role. Its members and open invites get another role. */
export const deleteRole = mutation("role.delete", Deletion)
  .meta(
    rest("Permissions").delete(
      "/workspaces/{workspacePublicId}/roles/{rolePublicId}",
      "Delete a role",
      "Deletes a role. Its members and open invites get the role `moveMembersTo`. System roles " +
        "cannot be deleted.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { role, workspace, membership, tx }, input }) => {
    checkAbove(membership, role.hierarchyLevel);
    if (role.isSystem) throw conflict("system_role", "System roles cannot be deleted.");
    const target = await tx.prisma.role.findFirst({
      where: { publicId: input.moveMembersTo, workspaceId: workspace.id },
    });
    if (target === null) throw notFound("role");
    if (target.id === role.id)
      throw conflict("same_role", "Must be a different role than the deleted one.", [
        "moveMembersTo",
      ]);
    checkRoleAssignable(membership, target);
    await withAccessChanges(tx, { roleId: role.id }, [workspace.id], async () => {
      const movedMembers = await tx.prisma.member.updateManyAndReturn({
        where: { roleId: role.id },
        data: { roleId: target.id, version: { increment: 1 }, updatedAt: tx.now },
        select: { id: true },
      });
      await tx.prisma.invite.updateMany({
        where: { roleId: role.id },
        data: { roleId: target.id },
      });
      await tx.prisma.role.delete({ where: { id: role.id } });
      tx.emit("role.deleted", { role: showRole(role) });
      const members = await tx.prisma.member.findMany({
        where: { id: { in: movedMembers.map(({ id }) => id) }, status: { not: "removed" } },
        orderBy: { id: "asc" },
        select: memberSelect,
      });
      for (const member of members) {
        tx.emit(
          "member.role_changed",
          { member: showMember(member, false) },
          { role: { from: role.name, to: target.name } },
        );
      }
    });
    return success;
  });
