import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { lockAssigned, removeFrom } from "../members/removal.ts";
import { accountOf } from "./find.ts";

/** Deletes a service account, as `member.remove` does. */
export const deleteServiceAccount = mutation("serviceAccount.delete", undefined, {
  beforeLock: ({ member, tx }) => lockAssigned(tx, sql`m.id = ${member.id}`),
})
  .meta(
    rest("Workspaces").delete(
      "/workspaces/{workspacePublicId}/service-accounts/{memberPublicId}",
      "Delete a service account",
      "Removes a service account from the workspace. Its keys stop working at once. What it did " +
        "stays and shows its name. Returns 409 if it is the last active admin.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { member, tx } }) => {
    await accountOf(tx.query, member);
    await removeFrom(tx, member);
    return success;
  });
