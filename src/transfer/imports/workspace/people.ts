import { adminOnly } from "../../../contract/vocabulary/permissions.ts";
import { insertRows, jsonOf } from "../../../platform/db/insert-rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { Items } from "../../format/workspace.ts";
import type { Member as MemberHere, Members } from "../write/source.ts";
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
    const now = { createdAt: tx.now, updatedAt: tx.now };
    const rows = roles.map((role) => {
      const permissions = role.permissions.filter((permission) => !adminOnly.includes(permission));
      const count = role.permissions.length - permissions.length;
      if (count > 0 && role.name !== "admin")
        report.skip({ kind: "permission", name: role.name, reason: adminsOnly, count });
      const publicId = identity.publicId(role.publicId);
      const hierarchyLevel = Math.min(role.hierarchyLevel, 99);
      return { ...role, publicId, workspaceId: target.id, hierarchyLevel, permissions, ...now };
    });
    const custom = rows.filter(({ isSystem }) => !isSystem);
    await insertRows(tx.query, "roles", custom, sql`ON CONFLICT ("publicId") DO NOTHING`);
    await tx.query(sql`
      UPDATE roles SET description = r.description,
        permissions = CASE WHEN roles.name = 'admin' THEN roles.permissions ELSE r.permissions END
      FROM json_to_recordset(${jsonOf(rows)}::json) AS r(name text, description text,
        permissions text[])
      WHERE roles."workspaceId" = ${target.id} AND roles."isSystem" AND roles.name = r.name`);
    report.add("role", "created", roles.length);
    const roleRows = await tx.prisma.role.findMany({ where: { workspaceId: target.id } });
    const byName = new Map(roleRows.map(({ id, name }) => [name, id]));
    return new Map(roles.map(({ publicId, name }) => [publicId, byName.get(name) ?? 0n]));
  });

/** Writes the members of the document as invited. No mail is sent; `mine` exists already. */
export const writeMembers = (
  writer: Writer,
  roles: Map<string, bigint>,
  members: Member[],
  mine: string | null,
): Promise<void> =>
  importStep(writer, async (step) => {
    const { tx, report, identity, target, context } = step;
    const workspaceId = target.id;
    const of = { workspaceId, status: "invited", invitedById: context.row.createdById };
    const overrides = new Map<string, Member["overrides"]>();
    const rows = members.flatMap((member) => {
      const { publicId: sourceId, name, email, createdAt } = member;
      if (sourceId === mine) report.add("member", "created");
      if (email === null) report.skip({ kind: "member", sourceId, name, reason: noEmail });
      if (sourceId === mine || email === null) return [];
      report.add("member", "created");
      report.skip({ kind: "member", sourceId, name, severity: "partial", reason: invitedOnly });
      const publicId = identity.publicId(sourceId);
      overrides.set(publicId, allowedOverrides(step, member));
      const roleId = roles.get(member.rolePublicId);
      return [{ ...of, publicId, email, roleId, createdAt, updatedAt: tx.now }];
    });
    const inserted = await insertRows<{ id: bigint; publicId: string }>(
      tx.query,
      "members",
      rows,
      sql`ON CONFLICT DO NOTHING RETURNING id, "publicId"`,
    );
    const overrideRows = inserted.flatMap(({ id: memberId, publicId }) =>
      (overrides.get(publicId) ?? []).map((override) => {
        return { ...override, memberId, workspaceId, createdAt: tx.now };
      }),
    );
    await insertRows(tx.query, "member_overrides", overrideRows);
  });

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
): Promise<Members> {
  const rows = await context.deps.db.read<MemberHere>(sql`
    SELECT id, "publicId" FROM members WHERE "workspaceId" = ${context.row.workspaceId}`);
  const byId = new Map(rows.map((row) => [row.publicId, row]));
  return new Map(
    [...sourceIds].flatMap((sourceId) => {
      const person = byId.get(idOf(sourceId));
      return person === undefined ? [] : [[sourceId, person] as const];
    }),
  );
}
