import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showWorkspaceFor } from "../presenters/workspaces.ts";
import { Workspace } from "../../contract/resources/workspaces.ts";

/** Returns a workspace with the caller's role and permissions. */
export const getWorkspace = query("workspace.get")
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}",
      "Get a workspace",
      "Returns a workspace with the caller's role and permissions.",
    ),
  )
  .output(Workspace)
  .query(({ ctx: { workspace, membership } }) => showWorkspaceFor(membership, workspace));
