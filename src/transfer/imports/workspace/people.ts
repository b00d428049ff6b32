import { adminOnly } from "../../../contract/vocabulary/permissions.ts";
import type { Query } from "../../../platform/db/query.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { Items } from "../../format/workspace.ts";
import type { Person } from "../write/model.ts";
import { importStep, type ImportStep, type Writer } from "../write/step.ts";
import type { DeriveId } from "./derived.ts";

type Role = Items["roles"];
type Member = Items["members"];

const adminsOnly = "Only admins may hold workspace:delete and workspace:manage.";
const noEmail = "The document does not contain the member's email address.";
const invitedOnly =
  "The member is invited with their role, but no mail was sent: invite them again.";

/** Writes the roles of the document. Returns all roles by their ids in the document. */
export const writeRoles = (writer: Writer, roles: Role[]): Promise<Map<string, bigint>> =>
  importStep(writer, async ({ tx, report, identity, target }) => {
    const rows = roles.map((role) => {
      const permissions = role.permissions.filter((one) => !adminOnly.includes(one));
      const count = role.permissions.length - permissions.length;
      if (count > 0 && role.name !== "admin")
        report.skip({ kind: "permission", name: role.name, reason: adminsOnly, count });
      const { name, description, isSystem } = role;
      const level = Math.min(role.hierarchyLevel, 99);
      return {
        publicId: identity.publicId(role.publicId),
        name,
        description,
        isSystem,
        level,
        permissions,
      };
    });
    await insertRoles(tx.query, target.id, rows, tx.now);
    report.add("role", "created", roles.length);
    const all = await tx.prisma.role.findMany({ where: { workspaceId: target.id } });
    const byName = new Map(all.map(({ id, name }) => [name, id]));
    return new Map(roles.map(({ publicId, name }) => [publicId, byName.get(name) ?? 0n]));
  });

async function insertRoles(
  query: Query,
  workspaceId: bigint,
  rows: { isSystem: boolean }[],
  now: Date,
) {
  const json = JSON.stringify(rows);
  await query(sql`
    INSERT INTO roles ("publicId", "workspaceId", name, description, "hierarchyLevel",
      "isSystem", permissions, "createdAt", "updatedAt")
    SELECT r."publicId", ${workspaceId}::bigint, r.name, r.description, r.level, false,
      r.permissions, ${now}::timestamptz, ${now}::timestamptz
    FROM json_to_recordset(${json}::json) AS r("publicId" text, name text, description text,
      level int, "isSystem" boolean, permissions text[])
    WHERE NOT r."isSystem" ON CONFLICT ("publicId") DO NOTHING`);
  await query(sql`
    UPDATE roles SET description = r.description,
      permissions = CASE WHEN roles.name = 'admin' THEN roles.permissions ELSE r.permissions END
    FROM json_to_recordset(${json}::json) AS r(name text, description text, permissions text[])
    WHERE roles."workspaceId" = ${workspaceId} AND roles."isSystem" AND roles.name = r.name`);
}

/** Writes the members of the document as invited. No mail is sent; `mine` exists already. */
export const writeMembers = (
  writer: Writer,
  roles: Map<string, bigint>,
  members: Member[],
  mine: string | null,
): Promise<void> =>
  importStep(writer, async (step) => {
    const { report, identity } = step;
    const rows = members.flatMap((member) => {
      const { publicId: sourceId, name, email, createdAt } = member;
      if (sourceId === mine) report.add("member", "created");
      if (email === null) report.skip({ kind: "member", sourceId, name, reason: noEmail });
      if (sourceId === mine || email === null) return [];
      report.add("member", "created");
      report.skip({ kind: "member", sourceId, name, partly: true, reason: invitedOnly });
      const roleId = String(roles.get(member.rolePublicId));
      const overrides = allowedOverrides(step, member);
      return [{ publicId: identity.publicId(sourceId), email, roleId, createdAt, overrides }];
    });
    await insertMembers(step, rows);
  });

const insertMembers = ({ tx, target, context }: ImportStep, rows: object[]) =>
  tx.query(sql`
    WITH new AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS m("publicId" text,
        email text, "roleId" bigint, "createdAt" timestamptz, overrides json)
    ), inserted AS (
      INSERT INTO members ("publicId", "workspaceId", email, "roleId", status, "invitedById",
        "createdAt", "updatedAt")
      SELECT "publicId", ${target.id}::bigint, email, "roleId", 'invited',
        ${context.row.createdById}::bigint, "createdAt", ${tx.now}::timestamptz FROM new
      ON CONFLICT DO NOTHING RETURNING id, "publicId"
    )
    INSERT INTO member_overrides ("memberId", permission, granted, "workspaceId", "createdAt")
    SELECT inserted.id, o.permission, o.granted, ${target.id}::bigint, ${tx.now}::timestamptz
    FROM inserted JOIN new USING ("publicId"),
      json_to_recordset(new.overrides) AS o(permission text, granted boolean)`);

function allowedOverrides({ report }: ImportStep, { name, overrides }: Member) {
  const allowed = overrides.filter(
    ({ permission, granted }) => !granted || !adminOnly.includes(permission),
  );
  const count = overrides.length - allowed.length;
  if (count > 0) report.skip({ kind: "permission", name, reason: adminsOnly, count });
  return allowed;
}

/** The members of the document who are members here, by their ids in the document. */
export async function findMembers(
  { context }: Writer,
  idOf: DeriveId,
  sourceIds: Set<string>,
): Promise<Map<string, Person>> {
  const rows = await context.deps.db.read<Person>(sql`
    SELECT id, "publicId" FROM members WHERE "workspaceId" = ${context.row.workspaceId}`);
  const byId = new Map(rows.map((row) => [row.publicId, row]));
  return new Map(
    [...sourceIds].flatMap((sourceId): [string, Person][] => {
      const person = byId.get(idOf(sourceId));
      return person === undefined ? [] : [[sourceId, person]];
    }),
  );
}
