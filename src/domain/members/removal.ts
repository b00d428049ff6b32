import type { Member } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { deactivateInvitesOf } from "./deactivate-invites.ts";
import { requireOtherAdmin } from "./last-admin.ts";
import { memberSelect } from "../views/member-select.ts";
import { viewMember } from "../views/members.ts";
import { withAccessChanges } from "../access-changes.ts";

/** The events of the removal of a member. */
export type RemovalEvents = "member.removed" | "access.gained" | "access.lost";

/** Removes a member and all their permissions. 409 for the last active admin. */
export async function removeFrom(tx: UnitOfWork<RemovalEvents>, member: Member): Promise<void> {
  if (member.status === "removed") return;
  const role = await tx.prisma.role.findUniqueOrThrow({ where: { id: member.roleId } });
  await requireOtherAdmin(tx, member, role);
  const remove = () => removeAll(tx, member);
  await withAccessChanges(tx, { memberId: member.id }, [member.workspaceId], remove);
}

async function removeAll(tx: UnitOfWork<RemovalEvents>, member: Member): Promise<void> {
  const where = { memberId: member.id };
  await tx.prisma.boardMember.deleteMany({ where });
  await tx.prisma.cardMember.deleteMany({ where });
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
    { member: viewMember(after, false) },
    { status: { from: member.status, to: "removed" } },
  );
}
