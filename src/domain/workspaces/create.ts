import { z } from "zod";
import {
  TimeZoneInput,
  WorkspaceDescriptionInput,
  WorkspaceNameInput,
  WorkspaceSlugInput,
} from "../../contract/fields/shared.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkTimeZone } from "../../kernel/time-zones.ts";
import { rest } from "../../kernel/request/rest.ts";
import { checkNewWorkspace, insertFounder, insertWorkspace } from "./insert.ts";
import { isReserved, prefixFor, slugReserved, slugsFor, slugTaken } from "../slugs.ts";
import { NewWorkspace } from "../../contract/resources/workspaces.ts";
import { showWorkspace } from "../presenters/workspaces.ts";

const Creation = z.strictObject({
  name: WorkspaceNameInput,
  description: WorkspaceDescriptionInput.optional(),
  slug: WorkspaceSlugInput.optional(),
  timeZone: TimeZoneInput.optional(),
});

/** Creates a workspace with its three system roles. The caller becomes admin. */
export const createWorkspace = mutation("workspace.create", Creation, {
  onReplay: ({ workspace }) => workspace,
})
  .meta(
    rest("Workspaces").post(
      "/workspaces",
      "Create a workspace",
      "Creates a workspace with three system roles. The caller becomes its admin. Without " +
        "`slug`, the slug is derived from the name.",
    ),
  )
  .output(NewWorkspace)
  .mutation(async ({ ctx: { caller, newId, tx }, input }) => {
    const { name: workspaceName, description = null, timeZone = null } = input;
    const slugs = slugsOf(input);
    await checkTimeZone(tx.query, timeZone);
    const fields = {
      publicId: newId,
      name: workspaceName,
      description,
      timeZone,
      cardPrefix: prefixFor(workspaceName),
    };
    await checkNewWorkspace(tx, caller.userId);
    const workspace = await insertWorkspace(tx, fields, slugs, caller.userId);
    if (workspace === null) throw slugTaken(slugs[0]);
    await insertFounder(tx, workspace.id, caller);
    tx.workspaceId = workspace.id;
    tx.emit("workspace.created", { workspace: showWorkspace(workspace) });
    return workspace;
  });

function slugsOf({ name: workspaceName, slug }: z.infer<typeof Creation>): string[] {
  if (slug === undefined) return slugsFor(workspaceName);
  if (isReserved(slug)) throw slugReserved(slug);
  return [slug];
}
