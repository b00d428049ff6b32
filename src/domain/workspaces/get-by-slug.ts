import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { viewWorkspaceFor } from "../views/workspaces.ts";
import { Workspace } from "../../contract/resources/workspaces.ts";

const Asked = z.strictObject({ workspaceSlug: z.string().min(1).max(64) });

/** One workspace by its slug, whatever its case. */
export const getWorkspaceBySlug = query("workspace.getBySlug", Asked)
  .meta(
    rest("Workspaces").get(
      "/workspaces-by-slug/{workspaceSlug}",
      "Read a workspace by its slug",
      "The same as `workspace.get`, for those who know the slug; its case does not matter. `/workspaces/by-slug/{workspaceSlug}` is the same.",
      { errors: ["NOT_FOUND"], alias: "/workspaces/by-slug/{workspaceSlug}" },
    ),
  )
  .output(Workspace)
  .query(({ ctx: { workspace, membership } }) => viewWorkspaceFor(membership, workspace));
