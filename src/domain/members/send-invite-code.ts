import type { Caller } from "../../kernel/access/callers.ts";
import { requireVerifiedEmail } from "../../kernel/access/verified-email.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { Member } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { invitePage } from "../../platform/frontend-pages.ts";
import { newCode } from "./invite-code.ts";
import { queueMail } from "../../kernel/jobs/mail.ts";
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
async function checkInviteLimits(
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
  const [counts] = await query<{
    sent: number;
    received: number;
    byWorkspace: number;
    byInviter: number;
  }>(sql`
    SELECT count(*)::int AS received,
      count(*) FILTER (WHERE m."workspaceId" = ${workspaceId})::int AS "byWorkspace",
      count(*) FILTER (WHERE i."createdById" = ${createdById})::int AS "byInviter",
      (SELECT count(*)::int FROM invites sent WHERE sent."createdById" = ${createdById}
        AND sent."createdAt" > ${since}::timestamptz AND sent."memberId" IS NOT NULL) AS sent
    FROM members m JOIN invites i ON i."memberId" = m.id
    WHERE m.email = ${email} AND i."createdAt" > ${since}::timestamptz`);
  const { sent = 0, received = 0, byWorkspace = 0, byInviter = 0 } = counts ?? {};
  if (sent >= INVITES_PER_DAY) throw exceeded(`You can send ${INVITES_PER_DAY} invites per day.`);
  if (byInviter >= perSender)
    throw exceeded(`You can invite an address ${perSender} times per day.`);
  if (byWorkspace >= perSender)
    throw exceeded(`A workspace can invite an address ${perSender} times per day.`);
  if (received >= INVITES_PER_ADDRESS)
    throw exceeded(`An address can receive ${INVITES_PER_ADDRESS} invites per day.`);
}

const exceeded = (message: string) => tooManyRequests("invites_exceeded", message, dayMs / 1000);

/** How long an invitation by mail is valid, in ms. */
const inviteMs = 7 * 24 * 60 * 60 * 1000;

type Invited = {
  tx: UnitOfWork;
  workspace: { id: bigint; name: string };
  caller: Caller;
  deps: Pick<Deps, "baseUrl" | "config" | "seal">;
};

/** Mails an invite code that only this address can use. Deactivates earlier codes. */
export async function sendInviteCode(
  { tx, workspace, caller, deps }: Invited,
  member: Pick<Member, "id" | "email">,
  roleId: bigint,
): Promise<void> {
  // Otherwise accounts of strangers' addresses could mail texts to any address.
  await requireVerifiedEmail(deps.config, tx.prisma, caller.userId);
  await tx.prisma.invite.updateMany({
    where: { memberId: member.id, deactivatedAt: null },
    data: { deactivatedAt: tx.now },
  });
  const { email } = member;
  const invite = { createdById: caller.userId, email, workspaceId: workspace.id };
  await checkInviteLimits(tx, deps.config, invite);
  const [inviter, name] = [plainName(caller.name), plainName(workspace.name)];
  const { code, codeHash } = newCode();
  await tx.prisma.invite.create({
    data: {
      publicId: publicId(),
      workspaceId: workspace.id,
      codeHash,
      roleId,
      memberId: member.id,
      createdById: caller.userId,
      maxUses: 1,
      createdAt: tx.now,
      expiresAt: new Date(tx.now.getTime() + inviteMs),
    },
  });
  const link = invitePage(deps.config, code) ?? `${deps.baseUrl}/api/v1/invites/${code}`;
  const mail = {
    to: email,
    type: "invited" as const,
    subject: `${inviter} invites you to ${name}`,
    text: [
      `${inviter} invites you to the workspace ${name}.`,
      `The invite code is ${code}\n${link}`,
      "The code expires in seven days.",
    ].join("\n\n"),
    verbatim: [link, code],
  };
  await queueMail(tx, deps, mail, { workspaceId: workspace.id });
}

const maxLength = 100;

/** A name of a user for mail: one short line. */
function plainName(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return line.slice(0, maxLength).toWellFormed();
}
