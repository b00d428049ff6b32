import { z } from "zod";
import { mayWrite } from "../access/may.ts";
import { systemRoles } from "../access/permissions.ts";
import { publicId } from "../db/public-id.ts";
import type { Work } from "../db/work.ts";
import { conflict } from "../errors.ts";
import { name, Slug, text } from "../fields.ts";
import { rest } from "../http/rest.ts";
import { prefixFor, reservedSlugs, slugsFor } from "./slug.ts";
import { NewWorkspace, viewWorkspace } from "./view.ts";

const Creation = z.strictObject({
  name: name(1, 64),
  description: text(0, 280).nullable().optional(),
  slug: Slug.optional(),
});

/** Makes a workspace with its three roles; the caller is its first admin. */
export const createWorkspace = mayWrite("workspace.create", Creation)
  .meta(
    rest("Workspaces").post(
      "/workspaces",
      "Create a workspace",
      "Makes a workspace with its three roles; the caller is its first admin. Without a `slug` one is made from the name.",
    ),
  )
  .output(NewWorkspace)
  .mutation(async ({ ctx: { caller, work }, input }) => {
    const workspace = await insert(work, input, caller.userId);
    const roles = await work.tx.role.createManyAndReturn({
      data: Object.entries(systemRoles).map(([role, { level, description, permissions }]) => ({
        publicId: publicId(),
        workspaceId: workspace.id,
        name: role,
        description,
        hierarchyLevel: level,
        isSystem: true,
        permissions: [...permissions],
      })),
      select: { id: true, name: true },
    });
    await work.tx.member.createMany({
      data: roles
        .filter((role) => role.name === "admin")
        .map((role) => ({
          publicId: publicId(),
          workspaceId: workspace.id,
          userId: caller.userId,
          email: caller.email,
          roleId: role.id,
          status: "active",
          createdAt: work.now,
          joinedAt: work.now,
        })),
    });
    work.workspaceId = workspace.id;
    work.emit("workspace.created", { workspace: viewWorkspace(workspace) });
    return workspace;
  });

async function insert(work: Work, input: z.infer<typeof Creation>, createdById: bigint) {
  const { name: named, description = null, slug } = input;
  const wanted = slug?.toLowerCase();
  if (wanted !== undefined && reservedSlugs.includes(wanted))
    throw conflict("The slug is reserved.", ["slug"]);
  for (const candidate of wanted === undefined ? slugsFor(named) : [wanted]) {
    const [workspace] = await work.tx.workspace.createManyAndReturn({
      data: {
        publicId: publicId(),
        name: named,
        description,
        slug: candidate,
        cardPrefix: prefixFor(named),
        createdById,
        createdAt: work.now,
        updatedAt: work.now,
      },
      skipDuplicates: true,
    });
    if (workspace !== undefined) return workspace;
  }
  throw conflict("The slug is taken.", ["slug"]);
}
