import type { Permission } from "./permissions.ts";

/** The kinds of resources that an operation can target, with the permission to view one. */
export const viewPermissions = {
  workspace: "workspace:view",
  board: "board:view",
  list: "list:view",
  card: "card:view",
  label: "board:view",
  field: "board:view",
  view: "board:view",
  checklist: "card:view",
  checklistItem: "card:view",
  comment: "comment:view",
  attachment: "card:view",
  member: "member:view",
  role: "member:view",
  webhook: "workspace:manage",
  import: "workspace:view",
} as const satisfies Record<string, Permission>;

/** A kind of resource that an operation can target. */
export type ResourceKind = keyof typeof viewPermissions;

/** All kinds of resources that an operation can target. */
export const resourceKinds = Object.keys(viewPermissions).filter(
  (kind): kind is ResourceKind => kind in viewPermissions,
);
