import { router } from "../../kernel/request/trpc.ts";
import { grantToMember } from "../../domain/permissions/grant-to-member.ts";
import { myPermissions } from "../../domain/permissions/mine.ts";
import { permissionsOfMember } from "../../domain/permissions/of-member.ts";
import { resetMember } from "../../domain/permissions/reset-member.ts";
import { revokeFromMember } from "../../domain/permissions/revoke-from-member.ts";
import { vocabulary } from "../../domain/permissions/vocabulary.ts";

/** Permissions of members. */
export const permissionsOfMembers = router({
  vocabulary,
  mine: myPermissions,
  ofMember: permissionsOfMember,
  grantToMember,
  revokeFromMember,
  resetMember,
});
