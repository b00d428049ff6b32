import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { notFound } from "../../platform/errors.ts";
import { iso, Timestamp } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { byCode } from "../members/invite-code.ts";
import { creatorCanAssignRole } from "./creator.ts";
import { isActive } from "../views/invites.ts";

const GetInviteInput = z.strictObject({ inviteCode: z.string().min(12).max(64) });
const InvitePreview = z
  .object({ workspaceName: z.string(), role: z.string(), expiresAt: Timestamp })
  .meta({ id: "InvitePreview" });

/** Returns the workspace and role of an invite code. */
export const getInvite = query("invite.get", GetInviteInput)
  .meta(
    rest("Invites").get(
      "/invites/{inviteCode}",
      "Preview an invite",
      "Returns the name of the workspace and the role that an invite leads to. Returns 404 if " +
        "the invite is not active.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(InvitePreview)
  .query(async ({ ctx: { db, deps }, input }) => {
    const invite = await db.invite.findUnique({
      where: byCode(input.inviteCode),
      include: { workspace: true, role: true },
    });
    const isOpen =
      invite !== null &&
      isActive(invite, deps.clock()) &&
      invite.workspace.deletedAt === null &&
      (await creatorCanAssignRole(db.query, invite, invite.role));
    if (!isOpen) throw notFound("invite");
    return {
      workspaceName: invite.workspace.name,
      role: invite.role.name,
      expiresAt: iso(invite.expiresAt),
    };
  });
