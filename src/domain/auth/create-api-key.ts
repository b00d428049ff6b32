import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { confirmOwner, mailOwner } from "./confirm-owner.ts";
import { adminOnly } from "../../contract/vocabulary/permissions.ts";
import { Password } from "./password.ts";
import { insertKey, keyFields } from "./insert-key.ts";
import { resolveScope } from "./key-scope.ts";
import { NewApiKey } from "../../contract/resources/auth.ts";

const Bounds = z.strictObject({
  ...keyFields,
  workspacePublicId: inputId("workspace", "Limits the key to a workspace.").optional(),
  boardPublicId: inputId("board", "Limits the key to a board.").optional(),
  password: Password.optional().meta({
    examples: ["correct horse battery staple"],
    description:
      "Required for a key without workspace or board, unless its permissions lack those that only " +
      "admins can have.",
  }),
});

/**
 * Creates an API key that acts for the caller, within the caller's permissions and its own scope.
 */
export const createApiKey = externalMutation("auth.createApiKey", Bounds)
  .meta(
    rest("Auth").post(
      "/auth/api-keys",
      "Create an API key",
      "Creates an API key that acts for the caller, and returns it this one time. The key never " +
        "allows more than the caller may do at the time of the call. A key without " +
        "`workspacePublicId` and `boardPublicId` requires the account's password, unless its " +
        "`permissions` lack those that only admins can have. The owner is notified by mail. An " +
        "account can have 200 keys. Where the server verifies email addresses, it returns 403 until " +
        "the caller's is verified.",
    ),
  )
  .output(NewApiKey)
  .mutation(async ({ ctx, input }) => {
    const { caller, deps } = ctx;
    const { password } = input;
    const confirm = await confirmOwner(ctx, { isUnrestricted: isUnrestricted(input), password });
    return ctx.transact(async (tx) => {
      const scope = await resolveScope(tx, ctx, input);
      await confirm(tx);
      const key = await insertKey(tx, caller.userId, input, scope);
      const sentence = `An API key that starts with ${key.prefix} was created for your account.`;
      await mailOwner(tx, deps, caller, { subject: "A new API key", sentence });
      return key;
    });
  });

const isUnrestricted = (input: z.infer<typeof Bounds>) =>
  input.workspacePublicId === undefined &&
  input.boardPublicId === undefined &&
  (input.permissions?.some((permission) => adminOnly.includes(permission)) ?? true);
