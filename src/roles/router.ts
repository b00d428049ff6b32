import { router } from "../trpc.ts";
import { createRole } from "./create.ts";
import { deleteRole } from "./delete.ts";
import { grantToRole } from "./grant.ts";
import { listRoles } from "./list.ts";
import { permissionsOfRole } from "./permissions.ts";
import { revokeFromRole } from "./revoke.ts";
import { updateRole } from "./update.ts";

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
