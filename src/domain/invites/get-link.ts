import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Invite } from "../../contract/resources/invites.ts";
import { canAssignRole } from "../../kernel/access/hierarchy.ts";
import { openCode } from "../members/invite-code.ts";
import { creatorCanAssignRole } from "./creator.ts";
import { isActive, showInvite } from "../presenters/invites.ts";

const NoLink = z.object({
  isActive: z.literal(false).meta({ description: "There is no active link." }),
});
const InviteLink = z.union([Invite, NoLink]).meta({
  id: "InviteLink",
  description:
    "The active invite link of a workspace. Without one, `isActive` is false and the other fields are absent.",
});

/** Returns the workspace's active invite link. */
export const getLink = query("invite.getLink")
  .meta(
    rest("Invites").get(
      "/workspaces/{workspacePublicId}/invite",
      "Get the invite link",
      "Returns the active invite link of a workspace with its code, or `isActive: false` if " +
        "there is none. A link to a role that the caller could not grant is not shown.",
    ),
  )
  .output(InviteLink)
  .query(async ({ ctx: { workspace, membership, db, deps } }) => {
    const now = deps.clock();
    const invite = await db.invite.findFirst({
      where: { workspaceId: workspace.id, memberId: null, deactivatedAt: null },
      include: { role: true },
    });
    const isShown =
      invite !== null &&
      isActive(invite, now) &&
      canAssignRole(membership, invite.role) &&
      (await creatorCanAssignRole(db.query, invite, invite.role));
    return isShown ? showInvite(invite, openCode(deps, invite), now) : { isActive: false as const };
  });
