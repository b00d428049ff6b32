import { insertRows } from "../../platform/db/insert-rows.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { firstRow, type Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import type { MemberView } from "../presenters/members.ts";

type MemberFields = {
  email: string;
  roleId: bigint;
  removedAt: null;
} & (
  | { status: "invited"; invitedById: bigint }
  | { status: "active"; userId: bigint; joinedAt: Date }
);

type UpsertedMember = MemberView & { id: bigint };

/** Updates the member row of a user in a workspace, or creates it. */
export async function upsertMember(
  tx: UnitOfWork,
  workspaceId: bigint,
  existing: { id: bigint } | undefined,
  fields: MemberFields,
): Promise<UpsertedMember> {
  const row = { ...fields, updatedAt: tx.now };
  const id = existing?.id ?? (await insert(tx.query, { ...row, workspaceId, createdAt: tx.now }));
  if (existing !== undefined) {
    const sets = Object.entries(row).map(
      ([column, value]) => sql`${sql.identifier(column)} = ${value}`,
    );
    await tx.query(sql`UPDATE members SET ${sql.join(sets, sql`, `)}, version = version + 1
      WHERE id = ${id}`);
  }
  const rows = await tx.query<UpsertedMember>(sql`
    SELECT m.id, m."publicId", m.email, m.status, m.version, m."createdAt", m."joinedAt",
      CASE WHEN u.id IS NOT NULL THEN json_build_object('name', u.name, 'image', u.image,
          'isService', u."isService") END
        AS user,
      json_build_object('name', r.name, 'publicId', r."publicId") AS role
    FROM members m JOIN roles r ON r.id = m."roleId" LEFT JOIN users u ON u.id = m."userId"
    WHERE m.id = ${id}`);
  return firstRow(rows);
}

async function insert(query: Query, row: object): Promise<bigint> {
  const rows = await insertRows<{ id: bigint }>(
    query,
    "members",
    [{ ...row, publicId: publicId() }],
    sql`RETURNING id`,
  );
  return firstRow(rows).id;
}
