import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { memberSelect } from "../views/member-select.ts";
import { viewMember } from "../views/members.ts";

/** Publishes the change of a user in every workspace that shows the user as a member. */
export async function emitMemberUpdates(
  tx: UnitOfWork<"member.updated">,
  userId: bigint,
): Promise<void> {
  const members = await tx.prisma.member.updateManyAndReturn({
    where: { userId, status: { not: "removed" } },
    data: { version: { increment: 1 }, updatedAt: tx.now },
    select: { ...memberSelect, workspaceId: true },
  });
  for (const { workspaceId, ...member } of members) {
    const shown = { memberPublicId: member.publicId, member: viewMember(member, false) };
    tx.emitIn(workspaceId, "member.updated", shown);
  }
}
