import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showWorkspaceFor } from "../presenters/workspaces.ts";
import { Workspace } from "../../contract/resources/workspaces.ts";

const GetWorkspaceBySlugInput = z.strictObject({
  workspaceSlug: z
    .string()
    .min(1)
    .max(64)
    .meta({ description: "The slug of the workspace.", examples: ["analytical-engines"] }),
});

/** Returns a workspace by its slug, ignoring case. */
export const getWorkspaceBySlug = query("workspace.getBySlug", GetWorkspaceBySlugInput)
  .meta(
    rest("Workspaces").get(
      "/workspaces-by-slug/{workspaceSlug}",
      "Get a workspace by slug",
      "Returns a workspace by its slug, with the caller's role and permissions. Case is ignored. " +
        "Also served at `/workspaces/by-slug/{workspaceSlug}`.",
      { errors: ["NOT_FOUND"], alias: "/workspaces/by-slug/{workspaceSlug}" },
    ),
  )
  .output(Workspace)
  .query(({ ctx: { workspace, membership } }) => showWorkspaceFor(membership, workspace));
