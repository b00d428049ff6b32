import { z } from "zod";
import { checkAbove } from "../../kernel/access/hierarchy.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { sqlState } from "../../platform/db/database-errors.ts";
import { conflict } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { roleFields } from "./create.ts";
import { RoleDetail } from "../../contract/resources/roles.ts";
import { showRole, showRoleDetail } from "../presenters/roles.ts";

const Update = z.strictObject(roleFields).partial();

/** Changes the name, description or level of a role. */
export const updateRole = mutation("role.update", Update)
  .meta(
    rest("Permissions").put(
      "/workspaces/{workspacePublicId}/roles/{rolePublicId}",
      "Update a role",
      "Changes the given fields of a role. The names and levels of system roles are fixed.",
    ),
  )
  .output(RoleDetail)
  .mutation(async ({ ctx: { role, workspace, membership, tx }, input }) => {
    const { rolePublicId: _, workspacePublicId: _in, ...fields } = input;
    const fieldsInput = present(fields);
    checkAbove(membership, role.hierarchyLevel);
    if (fieldsInput.hierarchyLevel !== undefined)
      checkAbove(membership, fieldsInput.hierarchyLevel);
    const changes = changesBetween(showRole(role), showRole({ ...role, ...fieldsInput }));
    if (Object.keys(changes).length === 0) return showRoleDetail(role, workspace);
    if (role.isSystem && (changes["name"] ?? changes["hierarchyLevel"]) !== undefined) {
      throw conflict("system_role", "The name and level of a system role cannot be changed.");
    }
    const after = await tx.prisma.role
      .update({
        where: { id: role.id },
        data: { ...fieldsInput, version: { increment: 1 }, updatedAt: tx.now },
      })
      .catch((error: unknown) => {
        throw sqlState(error) === "23505"
          ? conflict(
              "name_taken",
              `A role named "${fieldsInput.name}" exists. Choose another name.`,
              ["name"],
            )
          : error;
      });
    tx.emit("role.updated", { role: showRole(after) }, changes);
    return showRoleDetail(after, workspace);
  });
