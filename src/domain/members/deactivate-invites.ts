import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";

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
