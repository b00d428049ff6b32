import { z } from "zod";
import { OperatorWorkspace } from "../../contract/resources/operator.ts";
import { WorkspaceId } from "../../contract/vocabulary/texts.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { trashWorkspace } from "../workspaces/delete.ts";
import { lockWorkspace, readWorkspace, showWorkspaceRow } from "./workspace-rows.ts";

/** Moves a workspace to the trash, as an admin of it would. */
export const deleteAnyWorkspace = mutation(
  "operator.deleteWorkspace",
  z.strictObject({ workspacePublicId: WorkspaceId }),
)
  .meta(
    rest("Operator").delete(
      "/operator/workspaces/{workspacePublicId}",
      "Delete any workspace",
      "Deletes a workspace and everything in it, as `workspace.delete` does. " +
        "`operator.restoreWorkspace` brings it back until it is purged.",
    ),
  )
  .output(OperatorWorkspace)
  .mutation(async ({ ctx: { tx }, input: { workspacePublicId } }) => {
    const workspace = await lockWorkspace(tx, workspacePublicId);
    await trashWorkspace(tx, workspace.id);
    return showWorkspaceRow(await readWorkspace(tx.query, workspace.publicId));
  });
