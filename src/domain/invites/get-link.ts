import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Invite } from "../../contract/resources/invites.ts";
import { isOpen, viewInvite } from "../views/invites.ts";

const NoLink = z.object({ isActive: z.literal(false) }).meta({ id: "NoInvite" });

/** The workspace's link, or that there is none that lets anybody in. */
export const getLink = query("invite.getLink")
  .meta(
    rest("Invites").get(
      "/workspaces/{workspacePublicId}/invite",
      "Read the link into a workspace",
      "The link with its code, or `isActive: false` when none lets anybody in.",
    ),
  )
  .output(z.union([Invite, NoLink]))
  .query(async ({ ctx: { workspace, db, deps } }) => {
    const now = deps.clock();
    const invite = await db.invite.findFirst({
      where: { workspaceId: workspace.id, memberId: null, deactivatedAt: null },
      include: { role: { select: { name: true } } },
    });
    return invite === null || !isOpen(invite, now)
      ? { isActive: false as const }
      : viewInvite(invite, now);
  });
