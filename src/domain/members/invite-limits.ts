import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql } from "../../platform/db/sql.ts";
import { tooManyRequests } from "../../platform/errors.ts";
import type { Config } from "../../platform/config.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** How many invites a workspace mails to one address per day, and how many one account. */
const perSender = 3;

type Limits = Pick<Config, "INVITES_PER_DAY" | "INVITES_PER_ADDRESS">;
type Invite = { createdById: bigint; email: string; workspaceId: bigint };

/**
 * 429 when an inviter or a recipient has reached the number of mailed invites per day.
 *
 * One account reaches a part of what an address receives, and so does one workspace: others can
 * invite it too.
 */
export async function checkInviteLimits(
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  { INVITES_PER_DAY, INVITES_PER_ADDRESS }: Limits,
  { createdById, email, workspaceId }: Invite,
): Promise<void> {
  const since = new Date(now.getTime() - dayMs);
  // Calls at the same time would all count the same invites: those of one inviter, and those to one
  // address, wait for each other.
  const keys = [`invites of user ${createdById}`, `invites to ${email}`];
  await query(sql`SELECT pg_advisory_xact_lock(key) FROM (
    SELECT DISTINCT hashtextextended(name, 0) AS key FROM unnest(${keys}::text[]) AS name
    ORDER BY key OFFSET 0) AS keys`);
  const [found] = await query<{ sent: number; received: number; here: number; mine: number }>(sql`
    SELECT count(*)::int AS received,
      count(*) FILTER (WHERE m."workspaceId" = ${workspaceId})::int AS here,
      count(*) FILTER (WHERE i."createdById" = ${createdById})::int AS mine,
      (SELECT count(*)::int FROM invites sent WHERE sent."createdById" = ${createdById}
        AND sent."createdAt" > ${since}::timestamptz AND sent."memberId" IS NOT NULL) AS sent
    FROM members m JOIN invites i ON i."memberId" = m.id
    WHERE m.email = ${email} AND i."createdAt" > ${since}::timestamptz`);
  const { sent = 0, received = 0, here = 0, mine = 0 } = found ?? {};
  if (sent >= INVITES_PER_DAY) throw exceeded(`You can send ${INVITES_PER_DAY} invites per day.`);
  if (mine >= perSender) throw exceeded(`You can invite an address ${perSender} times per day.`);
  if (here >= perSender)
    throw exceeded(`A workspace can invite an address ${perSender} times per day.`);
  if (received >= INVITES_PER_ADDRESS)
    throw exceeded(`An address can receive ${INVITES_PER_ADDRESS} invites per day.`);
}

const exceeded = (message: string) => tooManyRequests("invites_exceeded", message, dayMs / 1000);
