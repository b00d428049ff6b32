import { permissions } from "../access/permissions.ts";
import { mayRead } from "../access/may.ts";
import { rest } from "../http/rest.ts";
import { viewWorkspace, Workspace } from "./view.ts";

/** One workspace, with the caller's role and permissions in it. */
export const getWorkspace = mayRead("workspace.get")
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}",
      "Read a workspace",
      "One workspace, with the caller's role and permissions in it.",
    ),
  )
  .output(Workspace)
  .query(({ ctx: { workspace, standing } }) => ({
    ...viewWorkspace(workspace),
    role: standing.role,
    memberPublicId: standing.publicId,
    permissions: permissions.filter((permission) => standing.may.has(permission)),
  }));
