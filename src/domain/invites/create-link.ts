import { nanoid } from "nanoid";
import { z } from "zod";
import { checkGivable } from "../../kernel/access/hierarchy.ts";
import { mayWrite } from "../../kernel/procedures.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { name } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";
import { namedRole } from "../members/role-of.ts";
import { Invite } from "../../contract/resources/invites.ts";
import { viewInvite } from "../views/invites.ts";

const NewLink = z.strictObject({
  role: name(1, 64).default("member"),
  expiresInDays: z.int().min(1).max(30).default(7),
  maxUses: z.int().min(1).max(10_000).optional(),
});

/** How long a code is, in characters of 6 bits. */
export const codeLength = 24;
const dayMs = 24 * 60 * 60 * 1000;

/** For how long an invitation by mail is good. */
export const inviteMs = 7 * dayMs;

/** Makes the workspace's link; the one before it stops working. */
export const createLink = mayWrite("invite.createLink", NewLink)
  .meta(
    rest("Invites").post(
      "/workspaces/{workspacePublicId}/invites",
      "Make a link into a workspace",
      "Makes the workspace's link; the one before it stops working. Nobody can invite to a role above their own.",
    ),
  )
  .output(Invite)
  .mutation(async ({ ctx: { workspace, standing, caller, work }, input }) => {
    const role = await namedRole(work, workspace.id, input);
    checkGivable(standing, role);
    await work.tx.invite.updateMany({
      where: { workspaceId: workspace.id, memberId: null, deactivatedAt: null },
      data: { deactivatedAt: work.now },
    });
    const invite = await work.tx.invite.create({
      data: {
        publicId: publicId(),
        workspaceId: workspace.id,
        code: nanoid(codeLength),
        roleId: role.id,
        createdById: caller.userId,
        maxUses: input.maxUses ?? null,
        createdAt: work.now,
        expiresAt: new Date(work.now.getTime() + input.expiresInDays * dayMs),
      },
      include: { role: { select: { name: true } } },
    });
    return viewInvite(invite, work.now);
  });
