import { z } from "zod";
import { InviteCode } from "../../contract/fields/shared.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { adminOnly, systemRoles } from "../../contract/vocabulary/permissions.ts";
import { requireVerifiedEmail } from "../../kernel/access/verified-email.ts";
import { checkLimit, lockAccount } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Invite, Member } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict, forbidden, notFound } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { upsertMember } from "../members/upsert.ts";
import { MemberDetail } from "../../contract/resources/members.ts";
import { showMember, showMemberDetail } from "../presenters/members.ts";
import { withAccessChanges } from "../access-changes.ts";
import { byCode } from "../members/invite-code.ts";
import { creatorCanAssignRole } from "./creator.ts";
import { isActive } from "../presenters/invites.ts";

const Acceptance = z.strictObject({ inviteCode: InviteCode });
/** The new member, who the caller is. */
const Accepted = MemberDetail.extend({
  workspaceSlug: z
    .string()
    .meta({ description: "The slug of the workspace.", examples: ["analytical-engines"] }),
  memberPublicId: z
    .string()
    .meta({ examples: ["m7e1m9b3r5s6"], description: "The same as `publicId`." }),
}).meta({
  id: "AcceptedInvite",
  description: "The caller as a member of the workspace that they joined.",
});

/** Joins a workspace with an invite link or a mailed invite code. */
export const acceptInvite = mutation("invite.accept", Acceptance, {
  async beforeLock({ caller, tx }, { inviteCode }) {
    await lockAccount(tx, caller.userId);
    return findActiveInvite(tx, inviteCode);
  },
})
  .meta(
    rest("Invites").post(
      "/invites/accept",
      "Accept an invite",
      "Adds the caller to a workspace, with the code of an invite link or of a mailed invite. A " +
        "removed member cannot use a link that is older than the removal. Where the server " +
        "verifies email addresses, a mailed code returns 403 until the caller's is verified.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Accepted)
  .mutation(async ({ ctx: { caller, deps, tx, before: invite } }) => {
    const { workspace } = invite;
    const rows = await tx.query<Member>(sql`SELECT * FROM members
      WHERE "workspaceId" = ${workspace.id}
        AND ("userId" = ${caller.userId} OR email = ${caller.email})`);
    const existing = rows.find((row) => row.userId === caller.userId) ?? rows[0];
    if (existing?.status === "active")
      throw conflict("already_member", "You are already a member of this workspace.");
    const personal = invite.memberId !== null;
    // A removed member may know the links that existed before the removal.
    if (!personal && existing?.removedAt && invite.createdAt < existing.removedAt) {
      throw forbidden(
        "invite_outdated",
        "You were removed after this link was created. Ask for a new link.",
      );
    }
    if (personal && invite.memberId !== existing?.id) throw notFound("invite");
    const byAddress = personal || (existing !== undefined && existing.userId !== caller.userId);
    if (byAddress) await requireVerifiedEmail(deps.config, tx.prisma, caller.userId);
    if (existing?.status !== "invited") await checkLimit(tx, "members", workspace.id);
    await checkLimit(tx, "memberships", caller.userId);
    const roleId = personal && existing !== undefined ? existing.roleId : invite.roleId;
    const scope = { userId: caller.userId, workspaceId: workspace.id };
    tx.workspaceId = workspace.id;
    const member = await withAccessChanges(tx, scope, [workspace.id], async () => {
      const joined = await upsertMember(tx, workspace.id, existing, {
        userId: caller.userId,
        email: caller.email,
        status: "active",
        roleId,
        joinedAt: tx.now,
        removedAt: null,
      });
      await removeOverrides(tx, joined.id, roleId, existing?.status === "invited");
      // A returning member has no board memberships.
      if (existing?.status === "removed") {
        await tx.query(sql`DELETE FROM board_members WHERE "memberId" = ${joined.id}`);
      }
      const data = { memberPublicId: joined.publicId, member: showMember(joined, false) };
      tx.emit("member.joined", data);
      return joined;
    });
    await tx.query(sql`UPDATE invites SET uses = uses + 1,
        "deactivatedAt" = ${personal ? tx.now : invite.deactivatedAt}::timestamptz
      WHERE id = ${invite.id}`);
    return {
      ...showMemberDetail(member, workspace, true),
      workspaceSlug: workspace.slug,
      memberPublicId: member.publicId,
    };
  });

type FoundInvite = Invite & {
  workspace: { publicId: string; slug: string };
  hierarchyLevel: number;
  permissions: string[];
};

/** Finds an active invite and locks its workspace, so that uses are counted exactly. Else 404. */
async function findActiveInvite(tx: UnitOfWork, code: string) {
  const { codeHash } = byCode(code);
  const [unlocked] = await tx.query<Pick<Invite, "workspaceId">>(
    sql`SELECT "workspaceId" FROM invites WHERE "codeHash" = ${codeHash}`,
  );
  if (unlocked === undefined) throw notFound("invite");
  const [workspaceId] = await tx.lock("workspaces", [unlocked.workspaceId]);
  const [invite] = await tx.query<FoundInvite>(sql`
    SELECT i.*, r."hierarchyLevel", r.permissions,
      json_build_object('publicId', w."publicId", 'slug', w.slug) AS workspace
    FROM invites i JOIN workspaces w ON w.id = i."workspaceId" JOIN roles r ON r.id = i."roleId"
    WHERE i."codeHash" = ${codeHash}`);
  const isOpen =
    workspaceId !== undefined &&
    invite !== undefined &&
    isActive(invite, tx.now) &&
    (await creatorCanAssignRole(tx.query, invite, invite));
  if (!isOpen) throw notFound("invite");
  return { ...invite, workspace: { ...invite.workspace, id: workspaceId } };
}

/** Removes earlier overrides. Those of an invited member stay, within what the role may have. */
function removeOverrides(tx: UnitOfWork, memberId: bigint, roleId: bigint, wasInvited: boolean) {
  const excess = sql`AND o.granted AND o.permission = ANY(${[...adminOnly]}::text[])
    AND r."hierarchyLevel" <> ${systemRoles.admin.level}`;
  return tx.query(sql`DELETE FROM member_overrides o USING roles r
    WHERE o."memberId" = ${memberId} AND r.id = ${roleId} ${wasInvited ? excess : sql.empty}`);
}
