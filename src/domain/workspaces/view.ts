import { z } from "zod";
import { permissions, type Permission } from "../../contract/permissions.ts";
import type { Workspace as WorkspaceRow } from "../../platform/db/rows.ts";
import { iso, isoOrNull, Timestamp } from "../../contract/fields.ts";

const Plan = z.enum(["free", "team", "pro", "enterprise"]);

/** A workspace as its creation answers it. */
export const NewWorkspace = z
  .object({
    publicId: z.string(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    plan: Plan,
    cardPrefix: z.string(),
  })
  .meta({ id: "NewWorkspace" });

/** A workspace in the caller's list. */
export const WorkspaceEntry = z
  .object({
    role: z.string(),
    workspace: z.object({
      publicId: z.string(),
      name: z.string(),
      description: z.string().nullable(),
      slug: z.string(),
      weekStartDay: z.int(),
      cardPrefix: z.string(),
      deletedAt: Timestamp.nullable(),
    }),
  })
  .meta({ id: "WorkspaceEntry" });

/** What a workspace says of itself. `weekStartDay` is 0 for Sunday. */
export const WorkspaceInfo = NewWorkspace.extend({
  weekStartDay: z.int(),
  showEmailsToMembers: z.boolean(),
  version: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deletedAt: Timestamp.nullable(),
}).meta({ id: "WorkspaceInfo" });

/** A workspace with what the caller is in it. */
export const Workspace = WorkspaceInfo.extend({
  role: z.string(),
  memberPublicId: z.string(),
  permissions: z.array(z.string()),
}).meta({ id: "Workspace" });

/** Shows a workspace's row. */
export const viewWorkspace = (workspace: WorkspaceRow): z.infer<typeof WorkspaceInfo> => ({
  publicId: workspace.publicId,
  name: workspace.name,
  slug: workspace.slug,
  description: workspace.description,
  plan: workspace.plan,
  cardPrefix: workspace.cardPrefix,
  weekStartDay: workspace.weekStartDay,
  showEmailsToMembers: workspace.showEmailsToMembers,
  version: workspace.version,
  createdAt: iso(workspace.createdAt),
  updatedAt: iso(workspace.updatedAt),
  deletedAt: isoOrNull(workspace.deletedAt),
});

type Standing = { role: string; publicId: string; may: ReadonlySet<Permission> };

/** Shows a workspace's row to somebody, with what they are in it. */
export const viewWorkspaceFor = (
  standing: Standing,
  workspace: WorkspaceRow,
): z.infer<typeof Workspace> => ({
  ...viewWorkspace(workspace),
  role: standing.role,
  memberPublicId: standing.publicId,
  permissions: permissions.filter((permission) => standing.may.has(permission)),
});
