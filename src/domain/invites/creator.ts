import { effectivePermissions } from "../../contract/vocabulary/permissions.ts";
import { canAssignRole } from "../../kernel/access/hierarchy.ts";
import { overridesOf, type Override } from "../../kernel/access/effective-permissions.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Invite } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";

type GrantedRole = { hierarchyLevel: number; permissions: string[] };
type Creator = { level: number; permissions: string[]; overrides: Override[] };

/** Whether the creator of an invite may still invite to its role. */
export async function creatorCanAssignRole(
  query: Query,
  invite: Pick<Invite, "workspaceId" | "createdById">,
  role: GrantedRole,
): Promise<boolean> {
  if (invite.createdById === null) return false;
  const [creator] = await query<Creator>(sql`
    SELECT r."hierarchyLevel" AS level, r.permissions, ${overridesOf} AS overrides
    FROM members m JOIN roles r ON r.id = m."roleId"
    WHERE m."workspaceId" = ${invite.workspaceId} AND m."userId" = ${invite.createdById}
      AND m.status = 'active'`);
  if (creator === undefined) return false;
  const may = new Set(effectivePermissions(creator.permissions, creator.overrides));
  return may.has("member:invite") && canAssignRole({ level: creator.level, may }, role);
}
