import type { Workspace as WorkspaceRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { WorkspaceInfo, Workspace } from "../../contract/resources/workspaces.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/fields.ts";
import { type Permission, permissions } from "../../contract/vocabulary/permissions.ts";

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
  membership: Standing,
  workspace: WorkspaceRow,
): z.infer<typeof Workspace> => ({
  ...viewWorkspace(workspace),
  role: membership.role,
  memberPublicId: membership.publicId,
  permissions: permissions.filter((permission) => membership.may.has(permission)),
});
