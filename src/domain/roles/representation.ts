import { Role } from "../../contract/resources/roles.ts";
import { representation } from "../../kernel/procedures/representation.ts";
import { viewRole } from "../views/roles.ts";

/** The representation of a role after a write. */
export const roleRepresentation = representation("role", Role, (_, { role }) => viewRole(role));
