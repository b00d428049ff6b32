import { z } from "zod";
import { checkRoleAssignable } from "../../kernel/access/hierarchy.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { insertRows } from "../../platform/db/insert-rows.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { Invite as InviteRow } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { name } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { findRole } from "../members/find-role.ts";
import { newCode, sealCode } from "../members/invite-code.ts";
import { Invite } from "../../contract/resources/invites.ts";
import { showInvite } from "../presenters/invites.ts";
import { firstRow } from "../../platform/db/query.ts";

const NewLink = z.strictObject({
  role: name(64)
    .default("member")
    .meta({ description: "The name of the role that new members get.", examples: ["member"] }),
  expiresInDays: z
    .int()
    .min(1)
    .max(30)
    .default(7)
    .meta({ description: "After how many days the link expires.", examples: [7] }),
  maxUses: z
    .int()
    .min(1)
    .max(10_000)
    .meta({
      description: "How many accounts may accept the link. No limit by default.",
      examples: [10],
    })
    .optional(),
});

const dayMs = 24 * 60 * 60 * 1000;

/** Creates the workspace's invite link and deactivates the old one. */
export const createLink = mutation("invite.createLink", NewLink)
  .meta(
    rest("Invites").post(
      "/workspaces/{workspacePublicId}/invites",
      "Create an invite link",
      "Creates an invite link to a workspace. An older link stops working. The role must not " +
        "rank above the caller's role or have permissions that the caller lacks.",
    ),
  )
  .output(Invite)
  .mutation(async ({ ctx: { workspace, membership, caller, deps, tx }, input }) => {
    const role = await findRole(tx, workspace.id, input);
    checkRoleAssignable(membership, role);
    await tx.query(sql`UPDATE invites SET "deactivatedAt" = ${tx.now}::timestamptz, "sealedCode" = NULL
      WHERE "workspaceId" = ${workspace.id} AND "memberId" IS NULL AND "deactivatedAt" IS NULL`);
    const invitePublicId = publicId();
    const { code, codeHash } = newCode();
    const row = {
      publicId: invitePublicId,
      workspaceId: workspace.id,
      codeHash,
      sealedCode: sealCode(deps, invitePublicId, code),
      roleId: role.id,
      createdById: caller.userId,
      maxUses: input.maxUses ?? null,
      createdAt: tx.now,
      expiresAt: new Date(tx.now.getTime() + input.expiresInDays * dayMs),
    };
    const invite = firstRow(
      await insertRows<InviteRow>(tx.query, "invites", [row], sql`RETURNING *`),
    );
    return showInvite({ ...invite, role }, code, tx.now);
  });
