import type { z } from "zod";
import type { ChangedPermissions, MemberPermissions } from "../../contract/resources/members.ts";
import { success } from "../../contract/vocabulary/texts.ts";
import { effectivePermissions, type Permission } from "../../contract/vocabulary/permissions.ts";
import { firstRow, type Query } from "../../platform/db/query.ts";
import type { Member } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";

type Row = {
  version: number;
  role: string;
  permissions: string[];
  overrides: { permission: Permission; granted: boolean }[];
};

const statement = ({ id, roleId }: Member) => sql`SELECT r.name AS role, r.permissions,
    (SELECT version FROM members WHERE id = ${id}) AS version,
    (SELECT coalesce(json_agg(json_build_object('permission', o.permission, 'granted', o.granted)
      ORDER BY o.permission), '[]') FROM member_overrides o WHERE o."memberId" = ${id}) AS overrides
  FROM roles r WHERE r.id = ${roleId}`;

/** A member's role, effective permissions and overrides. */
export async function memberPermissions(
  query: Query,
  member: Member,
): Promise<z.infer<typeof MemberPermissions>> {
  const { version: _, ...shownPermissions } = await readPermissions(query, member);
  return shownPermissions;
}

/** The permissions of a member after a change. */
export async function changedPermissions(
  query: Query,
  member: Member,
  workspace: { publicId: string },
): Promise<z.infer<typeof ChangedPermissions>> {
  const permissions = await readPermissions(query, member);
  return { ...permissions, ...success, workspacePublicId: workspace.publicId };
}

async function readPermissions(query: Query, member: Member) {
  const rows = await query<Row>(statement(member));
  const { role, permissions, overrides, version } = firstRow(rows);
  return {
    version,
    memberPublicId: member.publicId,
    role,
    permissions: member.status === "active" ? effectivePermissions(permissions, overrides) : [],
    overrides,
  };
}
