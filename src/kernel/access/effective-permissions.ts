import { effectivePermissions, type Permission } from "../../contract/vocabulary/permissions.ts";
import { sql } from "../../platform/db/sql.ts";
import type { MembershipRow } from "./resolve-target.ts";
import { getOrInsert } from "../../platform/maps.ts";

/** A permission that a member holds or lacks regardless of the role. */
export type Override = { permission: string; granted: boolean };

/** SQL: the overrides of the member `m` as JSON. */
export const overridesOf = sql`coalesce((
    SELECT json_agg(json_build_object('permission', o.permission, 'granted', o.granted))
    FROM member_overrides o WHERE o."memberId" = m.id
  ), '[]')`;

/** The permissions of a membership: those of its role, with the member's overrides. */
export function permissionsOfMembership({
  rolePermissions,
  overrides,
}: MembershipRow): readonly Permission[] {
  const ofRole = permissionsIn(rolePermissions);
  return overrides.length === 0
    ? ofRole
    : effectivePermissions(
        ofRole,
        overrides.map((text) => ({ permission: text.slice(1), granted: text.startsWith("+") })),
      );
}

const parsed = new Map<string, readonly Permission[]>();
const maxParsed = 1_000;

/** The permissions in a text with commas, in the order of the vocabulary. */
function permissionsIn(text: string): readonly Permission[] {
  return getOrInsert(parsed, text, () => {
    if (parsed.size >= maxParsed) parsed.clear();
    return effectivePermissions(text.split(","), []);
  });
}
