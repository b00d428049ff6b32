import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { notFound } from "../../platform/errors.ts";
import { iso, Timestamp } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { isOpen } from "../views/invites.ts";

const Asked = z.strictObject({ inviteCode: z.string().min(12).max(64) });
const Shown = z
  .object({ workspaceName: z.string(), role: z.string(), expiresAt: Timestamp })
  .meta({ id: "InvitePreview" });

/** Where an invitation leads, for whoever holds its code. */
export const getInvite = query("invite.get", Asked)
  .meta(
    rest("Invites").get(
      "/invites/{inviteCode}",
      "See where an invitation leads",
      "The workspace's name and the role that is offered. An invitation that lets nobody in any more is not found.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Shown)
  .query(async ({ ctx: { db, deps }, input }) => {
    const invite = await db.invite.findUnique({
      where: { code: input.inviteCode },
      include: { workspace: true, role: { select: { name: true } } },
    });
    if (invite === null || !isOpen(invite, deps.clock()) || invite.workspace.deletedAt !== null) {
      throw notFound("invite");
    }
    return {
      workspaceName: invite.workspace.name,
      role: invite.role.name,
      expiresAt: iso(invite.expiresAt),
    };
  });
