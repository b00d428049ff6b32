import { router } from "../trpc.ts";
import { grantToRole } from "./grant.ts";
import { listRoles } from "./list.ts";

/** Roles of a workspace. */
export const roles = router({ list: listRoles, grant: grantToRole });
