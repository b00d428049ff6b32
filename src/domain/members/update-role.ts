import { z } from "zod";
import { MemberDetail } from "../../contract/resources/members.ts";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { viewedWith } from "../../contract/vocabulary/view-permissions.ts";
import { adminOnly } from "../../contract/vocabulary/permissions.ts";
import { checkAbove, checkRoleAssignable } from "../../kernel/access/hierarchy.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { conflict } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { deactivateInvitesOf, requireOtherAdmin } from "./removal.ts";
import { findRole, hasOneRole, oneRoleError, roleReferenceFields } from "./find-role.ts";
import { memberSelect } from "../presenters/member-select.ts";
import { showMember, showMemberDetail, type MemberView } from "../presenters/members.ts";
import { withAccessChanges } from "../access-changes.ts";

const Update = z
  .strictObject(roleReferenceFields)
  .refine(hasOneRole, oneRoleError)
  .refine(({ role, rolePublicId }) => role !== undefined || rolePublicId !== undefined, {
    error: "rolePublicId or role is required",
    path: ["role"],
    params: { code: "required" },
  });

/** The answer; a repeated call shows the address only to callers who may still edit members. */
const Updated = viewedWith(
  "member:view",
  MemberDetail.extend({
    ...Success.shape,
    email: viewedWith("member:edit", z.string())
      .nullable()
      .meta({
        description: "The email address. Spaces around it and case are ignored.",
        examples: ["ada@example.com"],
      }),
  }).meta({ id: "UpdatedRole", description: "A member with their new role." }),
);

/** Changes the role of a member, effective from their next call. */
export const updateMemberRole = mutation("member.updateRole", Update)
  .meta(
    rest("Workspaces").put(
      "/workspaces/{workspacePublicId}/members/{memberPublicId}/role",
      "Change a member's role",
      "Changes the role of a member. The caller's role must rank above the member's current " +
        "role (admins: at least equal) and must not rank below the new one. Returns 409 if the " +
        "member is the last active admin.",
      { errors: ["NOT_FOUND"], bodyFields: { min: 1, max: 1 } },
    ),
  )
  .output(Updated)
  .mutation(async ({ ctx: { workspace, member, membership, tx }, input }) => {
    const role = await findRole(tx, workspace.id, input);
    const before = await tx.prisma.role.findUniqueOrThrow({ where: { id: member.roleId } });
    if (member.id !== membership.id) checkAbove(membership, before.hierarchyLevel);
    checkRoleAssignable(membership, role);
    if (member.status === "removed")
      throw conflict("member_removed", "The member was removed from the workspace.");
    const where = { id: member.id };
    const show = (view: MemberView) => ({
      ...showMemberDetail(view, workspace, true),
      ...success,
    });
    if (role.id === before.id) {
      return show(await tx.prisma.member.findUniqueOrThrow({ where, select: memberSelect }));
    }
    await requireOtherAdmin(tx, member, before);
    return withAccessChanges(tx, { memberId: member.id }, [workspace.id], async () => {
      if (role.hierarchyLevel < before.hierarchyLevel) {
        await deactivateInvitesOf(tx, member);
        // A demoted admin loses granted permissions that only admins may hold.
        const permission = { in: [...adminOnly] };
        await tx.prisma.memberOverride.deleteMany({
          where: { memberId: member.id, granted: true, permission },
        });
      }
      const after = await tx.prisma.member.update({
        where,
        data: { roleId: role.id, version: { increment: 1 }, updatedAt: tx.now },
        select: memberSelect,
      });
      tx.emit(
        "member.role_changed",
        { member: showMember(after, false) },
        { role: { from: before.name, to: role.name } },
      );
      return show(after);
    });
  });
