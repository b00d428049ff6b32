import { nanoid } from "nanoid";
import type { Caller } from "../../kernel/access/callers.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { Member } from "../../platform/db/rows.ts";
import type { Work } from "../../kernel/unit-of-work.ts";
import { queueMail } from "../../kernel/jobs/mail.ts";
import { codeLength, inviteMs } from "../invites/create-link.ts";

type Invited = {
  work: Work;
  workspace: { id: bigint; name: string };
  caller: Caller;
  deps: { baseUrl: string };
};

/** Mails an invited member a code that only their address' account can use; the one before it stops working. */
export async function sendCode(
  { work, workspace, caller, deps }: Invited,
  member: Pick<Member, "id" | "email">,
  roleId: bigint,
): Promise<void> {
  await work.tx.invite.updateMany({
    where: { memberId: member.id, deactivatedAt: null },
    data: { deactivatedAt: work.now },
  });
  const code = nanoid(codeLength);
  await work.tx.invite.create({
    data: {
      publicId: publicId(),
      workspaceId: workspace.id,
      code,
      roleId,
      memberId: member.id,
      createdById: caller.userId,
      maxUses: 1,
      createdAt: work.now,
      expiresAt: new Date(work.now.getTime() + inviteMs),
    },
  });
  await queueMail(work, {
    to: member.email,
    type: "invited",
    subject: `${caller.name} invites you to ${workspace.name}`,
    text: `${caller.name} invites you to the workspace ${workspace.name}.\n\nThe code of the invitation is ${code}\n${deps.baseUrl}/api/v1/invites/${code}\n\nIt is good for seven days.`,
  });
}
