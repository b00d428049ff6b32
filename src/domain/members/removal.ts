import type { Member } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { cardsNaming, unassignMember } from "../cards/assignees.ts";
import { isCardOf, lockCards } from "../cards/lock-cards.ts";
import { memberSelect } from "../presenters/member-select.ts";
import { showMember } from "../presenters/members.ts";
import { withAccessChanges } from "../access-changes.ts";
import { revokeCredentials } from "../../kernel/access/revoke-credentials.ts";
import { conflict } from "../../platform/errors.ts";
import { isAdmin, isLastAdmin } from "../permissions/override.ts";

/** The events of the removal of a member. */
export type RemovalEvents = "member.removed" | "access.gained" | "access.lost";

/** Removes a member and all permissions, with the cards locked. 409 for the last active admin. */
export async function removeFrom(tx: UnitOfWork<RemovalEvents>, member: Member): Promise<void> {
  if (member.status === "removed") return;
  const role = await tx.prisma.role.findUniqueOrThrow({ where: { id: member.roleId } });
  await requireOtherAdmin(tx, member, role);
  const remove = () => removeAll(tx, member);
  await withAccessChanges(tx, { memberId: member.id }, [member.workspaceId], remove);
}

/**
 * Removes a user from all workspaces for good, and deletes their private views.
 *
 * It locks their cards and views, then the workspaces and members.
 */
export async function removeEverywhere(
  tx: UnitOfWork<RemovalEvents>,
  userId: bigint,
): Promise<void> {
  const commented = sql`SELECT "cardId" FROM comments WHERE "createdById" = ${userId}`;
  const cards = sql`${cardsNaming(sql`m."userId" = ${userId}`)} UNION ${commented}`;
  await lockCards(tx.query, isCardOf(cards));
  await tx.query(sql`DELETE FROM views v USING members m
    WHERE m.id = v."ownerId" AND m."userId" = ${userId}`);
  const lists = await tx.query<{ id: bigint }>(
    sql`SELECT "workspaceId" AS id FROM members WHERE "userId" = ${userId}`,
  );
  await tx.lock(
    "workspaces",
    lists.map(({ id }) => id),
  );
  await tx.query(
    sql`SELECT 1 FROM members WHERE "userId" = ${userId} ORDER BY id FOR NO KEY UPDATE`,
  );
  const members = await tx.prisma.member.findMany({
    where: { userId, status: { not: "removed" } },
    orderBy: { workspaceId: "asc" },
    include: { workspace: { select: { deletedAt: true } } },
  });
  for (const { workspace, ...member } of members) {
    if (workspace.deletedAt === null) await removeFrom(tx, member);
  }
}

/** Locks the cards that name members `m`: they come before the members. */
export const lockAssigned = (tx: UnitOfWork, isMember: Sql): Promise<void> =>
  lockCards(tx.query, isCardOf(cardsNaming(isMember)));

async function removeAll(tx: UnitOfWork<RemovalEvents>, member: Member): Promise<void> {
  const where = { memberId: member.id };
  // Cards that got the member meanwhile; the transaction runs again rather than wait for one.
  await lockCards(tx.query, isCardOf(cardsNaming(sql`m.id = ${member.id}`)), { nowait: true });
  await tx.prisma.boardMember.deleteMany({ where });
  await unassignMember(tx.query, member);
  await tx.prisma.memberOverride.deleteMany({ where });
  await tx.prisma.invite.updateMany({
    where: { ...where, deactivatedAt: null },
    data: { deactivatedAt: tx.now },
  });
  await deactivateInvitesOf(tx, member);
  const after = await tx.prisma.member.update({
    where: { id: member.id },
    data: {
      status: "removed",
      removedAt: tx.now,
      version: { increment: 1 },
      updatedAt: tx.now,
    },
    select: memberSelect,
  });
  // A service account has no other workspace.
  if (member.userId !== null && after.user?.isService === true) {
    await revokeCredentials(tx, member.userId, tx.now);
  }
  tx.emitIn(
    member.workspaceId,
    "member.removed",
    { memberPublicId: after.publicId, member: showMember(after, false) },
    { status: { from: member.status, to: "removed" } },
  );
}

/** Deactivates the invites that a user created in a workspace, when they are removed or demoted. */
export async function deactivateInvitesOf(
  { prisma, now }: Pick<UnitOfWork, "prisma" | "now">,
  { workspaceId, userId }: { workspaceId: bigint; userId: bigint | null },
): Promise<void> {
  if (userId === null) return;
  await prisma.invite.updateMany({
    where: { workspaceId, createdById: userId, deactivatedAt: null },
    data: { deactivatedAt: now },
  });
}

/** 409 when the member is the last active admin of the workspace. */
export async function requireOtherAdmin(
  tx: UnitOfWork,
  member: Pick<Member, "id" | "workspaceId" | "status">,
  role: { isSystem: boolean; hierarchyLevel: number },
): Promise<void> {
  if (!isAdmin(role) || member.status !== "active") return;
  if (await isLastAdmin(tx, member.workspaceId, member.id)) {
    throw conflict("last_admin", "A workspace must have at least one active admin.");
  }
}
