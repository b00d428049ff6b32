import { router } from "../../kernel/request/trpc.ts";
import { createRole } from "../../domain/roles/create.ts";
import { deleteRole } from "../../domain/roles/delete.ts";
import { grantToRole } from "../../domain/roles/grant.ts";
import { listRoles } from "../../domain/roles/list.ts";
import { permissionsOfRole } from "../../domain/roles/permissions.ts";
import { revokeFromRole } from "../../domain/roles/revoke.ts";
import { updateRole } from "../../domain/roles/update.ts";

/** Roles of a workspace. */
export const roles = router({
  list: listRoles,
  create: createRole,
  update: updateRole,
  delete: deleteRole,
  permissions: permissionsOfRole,
  grant: grantToRole,
  revoke: revokeFromRole,
});
