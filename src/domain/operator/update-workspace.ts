import { z } from "zod";
import { OperatorWorkspace } from "../../contract/resources/operator.ts";
import { WorkspaceId } from "../../contract/vocabulary/texts.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { lockWorkspace, readWorkspace, showWorkspaceRow } from "./workspace-rows.ts";

const Change = z.strictObject({
  workspacePublicId: WorkspaceId,
  attachmentsQuota: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .nullable()
    .meta({
      description: "How many MiB of files it may have. Null for `ATTACHMENTS_QUOTA`.",
      examples: [20480],
    }),
});

/** Changes how many files a workspace may have. */
export const updateAnyWorkspace = mutation("operator.updateWorkspace", Change)
  .meta(
    rest("Operator").put(
      "/operator/workspaces/{workspacePublicId}",
      "Change the quota of a workspace",
      "Sets how many MiB of files a workspace may have, instead of the `ATTACHMENTS_QUOTA` of " +
        "the service. Files that it has already stay.",
    ),
  )
  .output(OperatorWorkspace)
  .mutation(async ({ ctx: { tx }, input: { workspacePublicId, attachmentsQuota } }) => {
    const workspace = await lockWorkspace(tx, workspacePublicId);
    await tx.prisma.workspace.update({ where: { id: workspace.id }, data: { attachmentsQuota } });
    return showWorkspaceRow(await readWorkspace(tx.query, workspace.publicId));
  });
