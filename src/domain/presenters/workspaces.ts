import type { Workspace as WorkspaceRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { WorkspaceInfo, Workspace } from "../../contract/resources/workspaces.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/texts.ts";
import { type Permission, permissions } from "../../contract/vocabulary/permissions.ts";

/** Shows a workspace. */
export const showWorkspace = (workspace: WorkspaceRow): z.infer<typeof WorkspaceInfo> => ({
  publicId: workspace.publicId,
  name: workspace.name,
  slug: workspace.slug,
  description: workspace.description,
  plan: workspace.plan,
  cardPrefix: workspace.cardPrefix,
  weekStartDay: workspace.weekStartDay,
  timeZone: workspace.timeZone,
  showEmailsToMembers: workspace.showEmailsToMembers,
  requiresSecondFactor: workspace.requiresSecondFactor,
  version: workspace.version,
  createdAt: iso(workspace.createdAt),
  updatedAt: iso(workspace.updatedAt),
  deletedAt: isoOrNull(workspace.deletedAt),
});

type CallerMembership = { role: string; publicId: string; may: ReadonlySet<Permission> };

/** Shows a workspace with the caller's role and permissions. */
export const showWorkspaceFor = (
  membership: CallerMembership,
  workspace: WorkspaceRow,
): z.infer<typeof Workspace> => ({
  ...showWorkspace(workspace),
  role: membership.role,
  memberPublicId: membership.publicId,
  permissions: permissions.filter((permission) => membership.may.has(permission)),
});
