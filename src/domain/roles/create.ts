import { z } from "zod";
import { checkAbove, checkGrantable } from "../../kernel/access/hierarchy.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { permissions } from "../../contract/vocabulary/permissions.ts";
import type { Role as RoleRow } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { RoleDetail, PermissionName } from "../../contract/resources/roles.ts";
import { showRole, showRoleDetail } from "../presenters/roles.ts";
import { name, text } from "../../contract/vocabulary/texts.ts";

/** The editable fields of a custom role. */
export const roleFields = {
  name: name(64).meta({ description: "The name of the role.", examples: ["reviewer"] }),
  description: text(0, 280)
    .nullable()
    .meta({
      description: "The description, in Markdown. Null if there is none.",
      examples: ["Reads and comments"],
    }),
  hierarchyLevel: z
    .int()
    .min(1)
    .max(99)
    .meta({
      description:
        "The rank from 1 to 99 (`admin` 100). Roles rank above those with a lower level.",
      examples: [40],
    }),
};

/** The permissions of a new role. */
const RolePermissions = z.array(PermissionName).max(permissions.length);

const NewRole = z.strictObject({
  ...roleFields,
  description: roleFields.description.optional(),
  permissions: RolePermissions.meta({
    description: "The permissions of the role.",
    examples: [["board:view", "list:view", "card:view", "card:edit"]],
  }),
});

/** Creates a custom role. */
export const createRole = mutation("role.create", NewRole, {
  onReplay: ({ role, workspace }) => showRoleDetail(role, workspace),
})
  .meta(
    rest("Permissions").post(
      "/workspaces/{workspacePublicId}/roles",
      "Create a role",
      "Creates a role in a workspace. The level is from 1 to 99, and below that of the caller's " +
        "role. The caller must hold every permission of the new role. Returns 409 if the " +
        "workspace has too many roles.",
    ),
  )
  .output(RoleDetail)
  .mutation(async ({ ctx: { workspace, membership, newId, tx }, input }) => {
    checkAbove(membership, input.hierarchyLevel);
    for (const permission of input.permissions) {
      checkGrantable(membership, permission, input.hierarchyLevel);
    }
    const rolePermissions = permissions.filter((permission) =>
      input.permissions.includes(permission),
    );
    const [, [role]] = await Promise.all([
      checkLimit(tx, "roles", workspace.id),
      tx.query<RoleRow>(sql`INSERT INTO roles ("publicId", "workspaceId", name, description,
          "hierarchyLevel", permissions, "createdAt", "updatedAt")
        VALUES (${newId}, ${workspace.id}, ${input.name}, ${input.description ?? null},
          ${input.hierarchyLevel}::int, ${rolePermissions}::text[], ${tx.now}::timestamptz,
          ${tx.now}::timestamptz)
        ON CONFLICT DO NOTHING RETURNING *`),
    ]);
    if (role === undefined)
      throw conflict("name_taken", `A role named "${input.name}" exists. Choose another name.`, [
        "name",
      ]);
    tx.emit("role.created", { role: showRole(role) });
    return showRoleDetail(role, workspace);
  });
