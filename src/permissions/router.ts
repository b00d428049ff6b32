import { router } from "../trpc.ts";
import { grantToMember } from "./grant-to-member.ts";
import { myPermissions } from "./mine.ts";
import { permissionsOfMember } from "./of-member.ts";
import { resetMember } from "./reset-member.ts";
import { revokeFromMember } from "./revoke-from-member.ts";
import { vocabulary } from "./vocabulary.ts";

/** What members may do. */
export const permissionsOfMembers = router({
  vocabulary,
  mine: myPermissions,
  ofMember: permissionsOfMember,
  grantToMember,
  revokeFromMember,
  resetMember,
});
