import { ChangedRole } from "../../contract/resources/roles.ts";
import { success } from "../../contract/vocabulary/fields.ts";
import { representation } from "../../kernel/procedures/representation.ts";
import { viewRoleDetail } from "../views/roles.ts";

/** The representation of a role after a write. */
export const roleRepresentation = representation("role", ChangedRole, (_, { role, workspace }) => ({
  ...viewRoleDetail(role, workspace),
  ...success,
}));
