import { z } from "zod";
import {
  InviteCode,
  InviteExpiresAt,
  MemberRole,
  WorkspaceName,
} from "../../contract/fields/shared.ts";
import { query } from "../../kernel/procedures/query.ts";
import { notFound } from "../../platform/errors.ts";
import { iso } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { byCode } from "../members/invite-code.ts";
import { creatorCanAssignRole } from "./creator.ts";
import { isActive } from "../presenters/invites.ts";

const GetInviteInput = z.strictObject({ inviteCode: InviteCode });
const InvitePreview = z
  .object({ workspaceName: WorkspaceName, role: MemberRole, expiresAt: InviteExpiresAt })
  .meta({
    id: "InvitePreview",
    description: "The workspace and the role that an invite leads to.",
  });

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
