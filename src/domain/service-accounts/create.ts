import { z } from "zod";
import { UserNameInput } from "../../contract/fields/shared.ts";
import { MemberDetail } from "../../contract/resources/members.ts";
import { checkRoleAssignable } from "../../kernel/access/hierarchy.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { noNotifications } from "../../kernel/notification-preferences.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { withAccessChanges } from "../access-changes.ts";
import { findRole, hasOneRole, oneRoleError, optionalRoleFields } from "../members/find-role.ts";
import { upsertMember } from "../members/upsert.ts";
import { showMember, showMemberDetail } from "../presenters/members.ts";

const NewAccount = z
  .strictObject({ name: UserNameInput, ...optionalRoleFields })
  .refine(hasOneRole, oneRoleError);

/** Creates a service account: an account that nobody signs in to, as an active member. */
export const createServiceAccount = mutation("serviceAccount.create", NewAccount)
  .meta(
    rest("Workspaces").post(
      "/workspaces/{workspacePublicId}/service-accounts",
      "Create a service account",
      "Creates an account for a program, such as `Deploy bot`, and makes it a member of the " +
        "workspace. It belongs to the workspace: nobody signs in to it, and it acts with the keys " +
        "that admins make with `serviceAccount.createKey`. What it does shows its name.",
      { errors: ["NOT_FOUND"], bodyFields: { max: 2 } },
    ),
  )
  .output(MemberDetail)
  .mutation(async ({ ctx: { workspace, membership, tx }, input }) => {
    const role = await findRole(tx, workspace.id, input);
    checkRoleAssignable(membership, role);
    await checkLimit(tx, "members", workspace.id);
    const id = publicId();
    const account = await tx.prisma.user.create({
      data: {
        publicId: id,
        // No mail is ever sent to it.
        email: `service-${id}@service.invalid`,
        emailVerifiedAt: tx.now,
        name: input.name,
        isService: true,
        notificationSettings: noNotifications,
        createdAt: tx.now,
        updatedAt: tx.now,
      },
    });
    const scope = { userId: account.id, workspaceId: workspace.id };
    return withAccessChanges(tx, scope, [workspace.id], async () => {
      const member = await upsertMember(tx, workspace.id, undefined, {
        userId: account.id,
        email: account.email,
        status: "active",
        roleId: role.id,
        joinedAt: tx.now,
        removedAt: null,
      });
      const data = { memberPublicId: member.publicId, member: showMember(member, false) };
      tx.emit("member.joined", data);
      return showMemberDetail(member, workspace, false);
    });
  });
