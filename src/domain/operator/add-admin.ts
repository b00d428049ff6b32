import { z } from "zod";
import { MemberDetail } from "../../contract/resources/members.ts";
import { systemRoles } from "../../contract/vocabulary/permissions.ts";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { WorkspaceId } from "../../contract/vocabulary/texts.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { conflict } from "../../platform/errors.ts";
import type { Member, User } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { withAccessChanges } from "../access-changes.ts";
import { upsertMember } from "../members/upsert.ts";
import { isLastAdmin } from "../permissions/override.ts";
import { showMember, showMemberDetail } from "../presenters/members.ts";
import { lockUser } from "../users/lock-user.ts";
import { lockWorkspace } from "./workspace-rows.ts";

const NewAdmin = z.strictObject({
  workspacePublicId: WorkspaceId,
  userPublicId: inputId("user", "Public id of the account that becomes admin."),
});

/** Makes an account the admin of a workspace that has none. */
export const addAdmin = mutation("operator.addAdmin", NewAdmin)
  .meta(
    rest("Operator").post(
      "/operator/workspaces/{workspacePublicId}/admins",
      "Give a workspace an admin",
      "Makes an account an admin of a workspace that no active admin can manage. Its overrides " +
        "there are removed. Returns 409 if the workspace has such an admin, who can appoint " +
        "others.",
    ),
  )
  .output(MemberDetail)
  .mutation(async ({ ctx: { tx }, input: { workspacePublicId, userPublicId } }) => {
    const { user } = await lockUser(tx, userPublicId);
    const workspace = await lockWorkspace(tx, workspacePublicId);
    if (!(await isLastAdmin(tx, workspace.id, 0n))) {
      throw conflict("has_admin", "The workspace has an active admin, who can appoint others.");
    }
    const rows = await tx.query<Member>(sql`SELECT * FROM members
      WHERE "workspaceId" = ${workspace.id}
        AND ("userId" = ${user.id} OR email = ${user.email}) FOR NO KEY UPDATE`);
    const existing = rows.find(({ userId }) => userId === user.id) ?? rows[0];
    const scope = { userId: user.id, workspaceId: workspace.id };
    const joined = await withAccessChanges(tx, scope, [workspace.id], () =>
      makeAdmin(tx, workspace.id, user, existing),
    );
    return showMemberDetail(joined, workspace, true);
  });

async function makeAdmin(
  tx: UnitOfWork<"member.joined" | "member.role_changed">,
  workspaceId: bigint,
  user: User,
  existing: Member | undefined,
) {
  const isMember = existing?.status === "active";
  if (!isMember) {
    if (existing?.status !== "invited") await checkLimit(tx, "members", workspaceId);
    await checkLimit(tx, "memberships", user.id);
  }
  const admin = { workspaceId, isSystem: true, hierarchyLevel: systemRoles.admin.level };
  const role = await tx.prisma.role.findFirstOrThrow({ where: admin });
  const joined = await upsertMember(tx, workspaceId, existing, {
    userId: user.id,
    email: user.email,
    status: "active",
    roleId: role.id,
    joinedAt: existing?.joinedAt ?? tx.now,
    removedAt: null,
  });
  await tx.prisma.memberOverride.deleteMany({ where: { memberId: joined.id } });
  const member = showMember(joined, false);
  if (isMember) {
    const before = await tx.prisma.role.findUniqueOrThrow({ where: { id: existing.roleId } });
    const change = { role: { from: before.name, to: role.name } };
    tx.emitIn(workspaceId, "member.role_changed", { member }, change);
  } else {
    tx.emitIn(workspaceId, "member.joined", { memberPublicId: joined.publicId, member });
  }
  return joined;
}
