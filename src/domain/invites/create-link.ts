import { z } from "zod";
import { checkGivable } from "../../kernel/access/hierarchy.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { name } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { findRole } from "../members/find-role.ts";
import { newCode, sealCode } from "../members/invite-code.ts";
import { Invite } from "../../contract/resources/invites.ts";
import { viewInvite } from "../views/invites.ts";

const NewLink = z.strictObject({
  role: name(1, 64).default("member"),
  expiresInDays: z.int().min(1).max(30).default(7),
  maxUses: z.int().min(1).max(10_000).optional(),
});

const dayMs = 24 * 60 * 60 * 1000;

/** Creates the workspace's invite link and deactivates the old one. */
export const createLink = mutation("invite.createLink", NewLink)
  .meta(
    rest("Invites").post(
      "/workspaces/{workspacePublicId}/invites",
      "Create an invite link",
      "Deactivates the old link of the workspace. The role must not rank above the caller's " +
        "role or have permissions that the caller lacks.",
    ),
  )
  .output(Invite)
  .mutation(async ({ ctx: { workspace, membership, caller, deps, tx }, input }) => {
    const role = await findRole(tx, workspace.id, input);
    checkGivable(membership, role);
    await tx.prisma.invite.updateMany({
      where: { workspaceId: workspace.id, memberId: null, deactivatedAt: null },
      data: { deactivatedAt: tx.now, sealedCode: null },
    });
    const invitePublicId = publicId();
    const { code, codeHash } = newCode();
    const invite = await tx.prisma.invite.create({
      data: {
        publicId: invitePublicId,
        workspaceId: workspace.id,
        codeHash,
        sealedCode: sealCode(deps, invitePublicId, code),
        roleId: role.id,
        createdById: caller.userId,
        maxUses: input.maxUses ?? null,
        createdAt: tx.now,
        expiresAt: new Date(tx.now.getTime() + input.expiresInDays * dayMs),
      },
      include: { role: { select: { name: true } } },
    });
    return viewInvite(invite, code, tx.now);
  });
