import { adminOnly } from "../../../contract/vocabulary/permissions.ts";
import type { Items } from "../../exports/format.ts";
import { step, type Bringing, type Making } from "./target.ts";
import { sql } from "../../../platform/db/sql.ts";

type Role = Items["roles"];
type Member = Items["members"];

const insertRoles = (value1: string, id: bigint, now: Date) =>
  sql`INSERT INTO roles ("publicId", "workspaceId", name, description, "hierarchyLevel", "isSystem", permissions, "createdAt", "updatedAt")
  SELECT r."publicId", ${id}::bigint, r.name, r.description, r.level, false, r.permissions, ${now}::timestamptz, ${now}::timestamptz
  FROM json_to_recordset(${value1}::json) AS r("publicId" text, name text, description text, level int, permissions text[])
  ON CONFLICT ("publicId") DO NOTHING`;
const updateRoles = (value1: string, id: bigint) =>
  sql`UPDATE roles SET description = r.description,
    permissions = CASE WHEN roles.name = 'admin' THEN roles.permissions ELSE r.permissions END
  FROM json_to_recordset(${value1}::json) AS r(name text, description text, permissions text[])
  WHERE roles."workspaceId" = ${id} AND roles."isSystem" AND roles.name = r.name`;

/** Makes the roles of the document that are not made with every workspace, and gives those that are what they may. Answers the roles by their ids in the document. */
export const bringRoles = (bringing: Bringing, roles: Role[]): Promise<Map<string, bigint>> =>
  step(bringing, async ({ tx, made, ids, home }) => {
    const rows = roles.map((role) => {
      const kept = role.permissions.filter((one) => !adminOnly.includes(one));
      const lost = role.permissions.length - kept.length;
      if (lost > 0 && role.name !== "admin")
        made.lose({ kind: "permission", name: role.name, reason: onlyAdmins, count: lost });
      return {
        publicId: ids(role.publicId),
        name: role.name,
        description: role.description,
        level: Math.min(role.hierarchyLevel, 99),
        permissions: kept,
      };
    });
    const isOwn = ({ name }: { name: string }) =>
      roles.some((one) => one.name === name && !one.isSystem);
    await tx.query(insertRoles(JSON.stringify(rows.filter(isOwn)), home.id, tx.now));
    await tx.query(updateRoles(JSON.stringify(rows), home.id));
    made.add("role", "created", roles.length);
    const there = await tx.prisma.role.findMany({ where: { workspaceId: home.id } });
    const byName = new Map(there.map(({ id, name }) => [name, id]));
    return new Map(roles.map(({ publicId, name }) => [publicId, byName.get(name) ?? 0n]));
  });

const onlyAdmins = "Only admins may hold workspace:delete and workspace:manage.";

const insertMembers = `WITH given AS (SELECT * FROM json_to_recordset($1::json)
      AS m("publicId" text, email text, "roleId" bigint, "createdAt" timestamptz, overrides json)),
    made AS (INSERT INTO members ("publicId", "workspaceId", email, "roleId", status, "invitedById", "createdAt", "updatedAt")
      SELECT "publicId", $2::bigint, email, "roleId", 'invited', $3::bigint, "createdAt", $4::timestamptz FROM given
      ON CONFLICT DO NOTHING RETURNING id, "publicId")
  INSERT INTO member_overrides ("memberId", permission, granted, "workspaceId", "createdAt")
  SELECT made.id, o.permission, o.granted, $2::bigint, $4::timestamptz FROM made JOIN given USING ("publicId"),
    json_to_recordset(given.overrides) AS o(permission text, granted boolean)`;

/** Makes the members of the document: each is invited, but nobody is told, and nobody may anything before they have joined. */
export const bringMembers = (
  bringing: Bringing,
  roles: Map<string, bigint>,
  members: Member[],
): Promise<void> =>
  step(bringing, async (making) => {
    const { tx, made, ids, home, run, mine } = making;
    const rows = members.flatMap((member) => {
      const { publicId, name, email } = member;
      if (publicId === mine) made.add("member", "created");
      if (email === null) made.lose({ kind: "member", sourceId: publicId, name, reason: nameless });
      if (publicId === mine || email === null) return [];
      made.add("member", "created");
      made.lose({ kind: "member", sourceId: publicId, name, partly: true, reason: onlyInvited });
      return [
        {
          publicId: ids(publicId),
          email,
          roleId: String(roles.get(member.rolePublicId)),
          createdAt: member.createdAt,
          overrides: overridesOf(making, member),
        },
      ];
    });
    const values = [JSON.stringify(rows), home.id, run.row.createdById, tx.now];
    await tx.query(insertMembers, values);
  });

function overridesOf({ made }: Making, { name, overrides }: Member) {
  const kept = overrides.filter(
    ({ permission, granted }) => !granted || !adminOnly.includes(permission),
  );
  const count = overrides.length - kept.length;
  if (count > 0) made.lose({ kind: "permission", name, reason: onlyAdmins, count });
  return kept;
}

const nameless = "The document does not say their address.";
const onlyInvited =
  "They are invited with their role, without a mail: invite them again to let them in. Until then they go by their address.";
