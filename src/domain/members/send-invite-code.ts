import type { Caller } from "../../kernel/access/callers.ts";
import { requireVerifiedEmail } from "../../kernel/access/verified-email.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { Member } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { invitePage } from "../../platform/frontend-pages.ts";
import { newCode } from "./invite-code.ts";
import { checkInviteLimits } from "./invite-limits.ts";
import { queueMail } from "../../kernel/jobs/mail.ts";

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
