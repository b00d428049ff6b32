import { effectivePermissions } from "../../contract/vocabulary/permissions.ts";
import { checkRoleAssignable } from "../../kernel/access/hierarchy.ts";
import { z } from "zod";
import { NewApiKey } from "../../contract/resources/auth.ts";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { insertKey, keyFields } from "../auth/insert-key.ts";
import { resolveScope } from "../auth/key-scope.ts";
import { findServiceAccount } from "./find.ts";

const NewKey = z.strictObject({
  ...keyFields,
  boardPublicId: inputId("board", "Limits the key to a board.").optional(),
});

/** Creates a key of a service account. It acts in the workspace of the account only. */
export const createServiceAccountKey = mutation("serviceAccount.createKey", NewKey)
  .meta(
    rest("Workspaces").post(
      "/workspaces/{workspacePublicId}/service-accounts/{memberPublicId}/keys",
      "Create a service account key",
      "Creates an API key that acts as a service account in this workspace, and returns it this " +
        "one time. It allows what the account may do at the time of a call, or less. An account " +
        "can have 200 keys. Returns 403 if the account may do what the caller may not. API keys cannot " +
        "call this.",
    ),
  )
  .output(NewApiKey)
  .mutation(async ({ ctx, input }) => {
    const { member, membership, tx } = ctx;
    const account = await findServiceAccount(tx.query, member);
    // Whoever has the key may do what the account may.
    const role = await tx.prisma.role.findUniqueOrThrow({ where: { id: member.roleId } });
    const overrides = await tx.prisma.memberOverride.findMany({ where: { memberId: member.id } });
    const permissions = effectivePermissions(role.permissions, overrides);
    checkRoleAssignable(membership, { ...role, permissions });
    const { workspacePublicId, boardPublicId } = input;
    const scope = await resolveScope(tx, ctx, { workspacePublicId, boardPublicId });
    return insertKey(tx, account.id, input, scope);
  });
