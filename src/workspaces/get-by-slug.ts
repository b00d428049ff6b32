import { z } from "zod";
import { mayRead } from "../access/may.ts";
import { permit } from "../access/permit.ts";
import { permissions } from "../access/permissions.ts";
import { notFound } from "../errors.ts";
import { rest } from "../http/rest.ts";
import { viewWorkspace, Workspace } from "./view.ts";

const Asked = z.strictObject({ workspaceSlug: z.string().min(1).max(64) });

/** One workspace by its slug, whatever its case. */
export const getWorkspaceBySlug = mayRead("workspace.getBySlug", Asked)
  .meta(
    rest("Workspaces").get(
      "/workspaces/by-slug/{workspaceSlug}",
      "Read a workspace by its slug",
      "The same as `workspace.get`, for those who know the slug; its case does not matter.",
      { fails: ["NOT_FOUND", "FORBIDDEN"] },
    ),
  )
  .output(Workspace)
  .query(async ({ ctx, input }) => {
    const slug = input.workspaceSlug.toLowerCase();
    const workspace = await ctx.db.workspace.findFirst({ where: { slug, deletedAt: null } });
    if (workspace === null) throw notFound("workspace");
    const { standing } = await permit(ctx.db.query, ctx, {
      name: "workspace.get",
      input: { workspacePublicId: workspace.publicId },
      writes: false,
      lock: false,
    });
    return {
      ...viewWorkspace(workspace),
      role: standing?.role ?? "",
      memberPublicId: standing?.publicId ?? "",
      permissions: permissions.filter((permission) => standing?.may.has(permission)),
    };
  });
