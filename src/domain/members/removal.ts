import type { Member } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { isCardOf, lockCards } from "../cards/lock-cards.ts";
import { deactivateInvitesOf } from "./deactivate-invites.ts";
import { requireOtherAdmin } from "./last-admin.ts";
import { memberSelect } from "../views/member-select.ts";
import { viewMember } from "../views/members.ts";
import { withAccessChanges } from "../access-changes.ts";

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

/** SQL: the ids of the cards that members `m` are assigned to or have claimed. */
export const assignedCards = (isMember: Sql): Sql => sql`SELECT cm."cardId" FROM card_members cm
  JOIN members m ON m.id = cm."memberId" WHERE ${isMember}
  UNION SELECT c.id FROM cards c JOIN members m ON m.id = c."claimedById" WHERE ${isMember}`;

async function removeAll(tx: UnitOfWork<RemovalEvents>, member: Member): Promise<void> {
  const where = { memberId: member.id };
  // Cards that got the member meanwhile; the transaction runs again rather than wait for one.
  await lockCards(tx.query, isCardOf(assignedCards(sql`m.id = ${member.id}`)), { nowait: true });
  await tx.prisma.boardMember.deleteMany({ where });
  await tx.prisma.cardMember.deleteMany({ where });
  await tx.query(sql`UPDATE cards SET "claimedById" = NULL, "claimExpiresAt" = NULL
    WHERE "claimedById" = ${member.id}`);
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
  tx.emitIn(
    member.workspaceId,
    "member.removed",
    { memberPublicId: after.publicId, member: viewMember(after, false) },
    { status: { from: member.status, to: "removed" } },
  );
}
