/** All permissions, in the order of every list. */
export const permissions = [
  "workspace:view",
  "workspace:edit",
  "workspace:delete",
  "workspace:manage",
  "board:view",
  "board:create",
  "board:edit",
  "board:delete",
  "list:view",
  "list:create",
  "list:edit",
  "list:delete",
  "card:view",
  "card:create",
  "card:edit",
  "card:delete",
  "comment:view",
  "comment:create",
  "comment:edit",
  "comment:delete",
  "member:view",
  "member:invite",
  "member:edit",
  "member:remove",
] as const;

/** A permission. */
export type Permission = (typeof permissions)[number];

/** The permissions to view what an import writes: texts and names of its source. */
export const viewingImported = [
  "board:view",
  "list:view",
  "card:view",
  "comment:view",
] as const satisfies readonly Permission[];

/** The permissions to view resources. */
export const viewing: Permission[] = [
  "workspace:view",
  "board:view",
  "list:view",
  "card:view",
  "comment:view",
  "member:view",
];

/** The three roles that every workspace has. */
export const systemRoles = {
  admin: { level: 100, description: "Full access", permissions: [...permissions] },
  member: {
    level: 50,
    description: "Works on boards",
    permissions: [
      ...viewing,
      "board:create",
      "list:create",
      "list:edit",
      "list:delete",
      "card:create",
      "card:edit",
      "card:delete",
      "comment:create",
    ],
  },
  guest: { level: 10, description: "Read-only", permissions: viewing },
} as const satisfies Record<
  string,
  { level: number; description: string; permissions: readonly Permission[] }
>;

/** Permissions that only admins may have. */
export const adminOnly: readonly Permission[] = ["workspace:delete", "workspace:manage"];

/** The permissions of a role after the member's overrides, in the order of the vocabulary. */
export function effectivePermissions(
  role: readonly string[],
  overrides: readonly { permission: string; granted: boolean }[],
): Permission[] {
  const effective = new Set(role);
  for (const { permission, granted } of overrides) {
    if (granted) effective.add(permission);
    else effective.delete(permission);
  }
  return permissions.filter((permission) => effective.has(permission));
}
