import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { viewWorkspaceFor } from "../views/workspaces.ts";
import { Workspace } from "../../contract/resources/workspaces.ts";

/** One workspace, with the caller's role and permissions in it. */
export const getWorkspace = query("workspace.get")
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}",
      "Read a workspace",
      "One workspace, with the caller's role and permissions in it.",
    ),
  )
  .output(Workspace)
  .query(({ ctx: { workspace, membership } }) => viewWorkspaceFor(membership, workspace));
