import { z } from "zod";
import { mayRead } from "../access/may.ts";
import { permissions } from "../access/permissions.ts";
import { rest } from "../http/rest.ts";
import { viewWorkspace, Workspace } from "./view.ts";

const Asked = z.strictObject({ workspaceSlug: z.string().min(1).max(64) });

/** One workspace by its slug, whatever its case. */
export const getWorkspaceBySlug = mayRead("workspace.getBySlug", Asked)
  .meta(
    rest("Workspaces").get(
      "/workspaces-by-slug/{workspaceSlug}",
      "Read a workspace by its slug",
      "The same as `workspace.get`, for those who know the slug; its case does not matter. `/workspaces/by-slug/{workspaceSlug}` is the same.",
      { fails: ["NOT_FOUND"], alias: "/workspaces/by-slug/{workspaceSlug}" },
    ),
  )
  .output(Workspace)
  .query(({ ctx: { workspace, standing } }) => ({
    ...viewWorkspace(workspace),
    role: standing.role,
    memberPublicId: standing.publicId,
    permissions: permissions.filter((permission) => standing.may.has(permission)),
  }));
