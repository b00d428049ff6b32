import { effective } from "../../contract/vocabulary/permissions.ts";
import { canGive } from "../../kernel/access/hierarchy.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Invite } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";

type GrantedRole = { hierarchyLevel: number; permissions: string[] };
type Override = { permission: string; granted: boolean };
type Creator = { level: number; permissions: string[]; overrides: Override[] };

/** Whether the creator of an invite may still invite to its role. */
export async function creatorCanGive(
  query: Query,
  invite: Pick<Invite, "workspaceId" | "createdById">,
  role: GrantedRole,
): Promise<boolean> {
  if (invite.createdById === null) return false;
  const [creator] = await query<Creator>(sql`
    SELECT r."hierarchyLevel" AS level, r.permissions, coalesce((
        SELECT json_agg(json_build_object('permission', permission, 'granted', granted))
        FROM member_overrides WHERE "memberId" = m.id
      ), '[]') AS overrides
    FROM members m JOIN roles r ON r.id = m."roleId"
    WHERE m."workspaceId" = ${invite.workspaceId} AND m."userId" = ${invite.createdById}
      AND m.status = 'active'`);
  if (creator === undefined) return false;
  const may = new Set(effective(creator.permissions, creator.overrides));
  return may.has("member:invite") && canGive({ level: creator.level, may }, role);
}
