import { router } from "../trpc.ts";
import { permissionsOfMember } from "./of-member.ts";
import { revokeFromMember } from "./revoke-from-member.ts";

/** What members may do. */
export const permissionsOfMembers = router({ ofMember: permissionsOfMember, revokeFromMember });
