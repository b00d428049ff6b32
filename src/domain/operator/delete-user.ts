import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { deleteAccount } from "../users/delete.ts";
import { lockUser, requireOtherOperator } from "../users/lock-user.ts";

/** Deletes an account, as its owner would. */
export const deleteUser = mutation(
  "operator.deleteUser",
  z.strictObject({ userPublicId: inputId("user") }),
)
  .meta(
    rest("Operator").delete(
      "/operator/users/{userPublicId}",
      "Delete an account",
      "Deletes an account as `user.delete` does: content in shared workspaces stays, without the " +
        "name. Returns 409 if the account is the last admin of a workspace, or the last operator " +
        "of a service without `ADMIN_KEY`.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { deps, tx }, input: { userPublicId } }) => {
    const { user, isLastOperator } = await lockUser(tx, userPublicId);
    requireOtherOperator(isLastOperator, deps.config);
    await deleteAccount(tx, user.id);
    return success;
  });
