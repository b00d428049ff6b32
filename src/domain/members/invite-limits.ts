import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql } from "../../platform/db/sql.ts";
import { tooManyRequests } from "../../platform/errors.ts";
import type { Config } from "../../platform/config.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** How many invites a workspace mails to one address per day. */
const perWorkspace = 3;

type Limits = Pick<Config, "INVITES_PER_DAY" | "INVITES_PER_ADDRESS">;
type Invite = { createdById: bigint; email: string; workspaceId: bigint };

/**
 * 429 when an inviter or a recipient has reached the number of mailed invites per day.
 *
 * One workspace reaches a part of what an address receives, so that others can invite it too.
 */
export async function checkInviteLimits(
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  { INVITES_PER_DAY, INVITES_PER_ADDRESS }: Limits,
  { createdById, email, workspaceId }: Invite,
): Promise<void> {
  const since = new Date(now.getTime() - dayMs);
  const [found] = await query<{ sent: number; received: number; here: number }>(sql`
    SELECT count(*) FILTER (WHERE i."createdById" = ${createdById})::int AS sent,
      count(*) FILTER (WHERE m.email = ${email})::int AS received,
      count(*) FILTER (WHERE m.email = ${email} AND m."workspaceId" = ${workspaceId})::int AS here
    FROM invites i JOIN members m ON m.id = i."memberId"
    WHERE i."createdAt" > ${since}::timestamptz
      AND (i."createdById" = ${createdById}
        OR m.id IN (SELECT id FROM members WHERE email = ${email}))`);
  const { sent = 0, received = 0, here = 0 } = found ?? {};
  if (sent >= INVITES_PER_DAY) throw exceeded(`You can send ${INVITES_PER_DAY} invites per day.`);
  if (here >= perWorkspace)
    throw exceeded(`A workspace can invite an address ${perWorkspace} times per day.`);
  if (received >= INVITES_PER_ADDRESS)
    throw exceeded(`An address can receive ${INVITES_PER_ADDRESS} invites per day.`);
}

const exceeded = (message: string) => tooManyRequests("invites_exceeded", message, dayMs / 1000);
