import { z } from "zod";
import { OperatorWorkspace } from "../../contract/resources/operator.ts";
import { WorkspaceId } from "../../contract/vocabulary/texts.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { untrashWorkspace } from "../workspaces/restore.ts";
import { lockDeletedWorkspace, readWorkspace, showWorkspaceRow } from "./workspace-rows.ts";

/** Brings a workspace back from the trash. */
export const restoreAnyWorkspace = mutation(
  "operator.restoreWorkspace",
  z.strictObject({ workspacePublicId: WorkspaceId }),
)
  .meta(
    rest("Operator").post(
      "/operator/workspaces/{workspacePublicId}/restore",
      "Restore any workspace",
      "Restores a workspace from the trash, with everything in it. Returns 404 if it is not in " +
        "the trash, and 409 if the account that created it has its maximum of workspaces.",
    ),
  )
  .output(OperatorWorkspace)
  .mutation(async ({ ctx: { deps, tx }, input: { workspacePublicId } }) => {
    const workspace = await lockDeletedWorkspace(tx, workspacePublicId, deps.config.TRASH_DAYS);
    await untrashWorkspace(tx, workspace);
    return showWorkspaceRow(await readWorkspace(tx.query, workspace.publicId));
  });
