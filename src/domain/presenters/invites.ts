import type { Invite as InviteRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { Invite } from "../../contract/resources/invites.ts";
import { iso } from "../../contract/vocabulary/texts.ts";

/** The public form of an invite with its code, at `now`. */
export const showInvite = (
  invite: InviteRow & { role: { name: string } },
  inviteCode: string,
  now: Date,
): z.infer<typeof Invite> => ({
  publicId: invite.publicId,
  inviteCode,
  role: invite.role.name,
  isActive: isActive(invite, now),
  maxUses: invite.maxUses,
  uses: invite.uses,
  createdAt: iso(invite.createdAt),
  expiresAt: iso(invite.expiresAt),
});

/** Whether an invite can be accepted at `now`. */
export const isActive = (
  invite: Pick<InviteRow, "deactivatedAt" | "expiresAt" | "maxUses" | "uses">,
  now: Date,
) =>
  invite.deactivatedAt === null &&
  invite.expiresAt > now &&
  (invite.maxUses === null || invite.uses < invite.maxUses);
