import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { tooManyRequests } from "../../platform/errors.ts";
import type { Config } from "../../platform/config.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** How many invites a workspace mails to one address per day. */
const perWorkspace = 3;

type Limits = Pick<Config, "INVITES_PER_DAY" | "INVITES_PER_ADDRESS">;

/**
 * 429 when an inviter or a recipient has reached the number of mailed invites per day.
 *
 * One workspace reaches a part of what an address receives, so that others can invite it too.
 */
export async function checkInviteLimits(
  { prisma, now }: Pick<UnitOfWork, "prisma" | "now">,
  { INVITES_PER_DAY, INVITES_PER_ADDRESS }: Limits,
  { createdById, email, workspaceId }: { createdById: bigint; email: string; workspaceId: bigint },
): Promise<void> {
  const recent = { createdAt: { gt: new Date(now.getTime() - dayMs) } };
  const sent = await prisma.invite.count({
    where: { ...recent, createdById, memberId: { not: null } },
  });
  if (sent >= INVITES_PER_DAY) {
    throw tooManyRequests(
      "invites_exceeded",
      `You can send ${INVITES_PER_DAY} invites per day.`,
      dayMs / 1000,
    );
  }
  const ofWorkspace = { ...recent, workspaceId, member: { email } };
  if ((await prisma.invite.count({ where: ofWorkspace })) >= perWorkspace) {
    throw tooManyRequests(
      "invites_exceeded",
      `A workspace can invite an address ${perWorkspace} times per day.`,
      dayMs / 1000,
    );
  }
  const received = await prisma.invite.count({ where: { ...recent, member: { email } } });
  if (received >= INVITES_PER_ADDRESS) {
    throw tooManyRequests(
      "invites_exceeded",
      `An address can receive ${INVITES_PER_ADDRESS} invites per day.`,
      dayMs / 1000,
    );
  }
}
