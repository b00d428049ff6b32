import type { Caller } from "../../kernel/access/callers.ts";
import { systemRoles } from "../../contract/vocabulary/permissions.ts";
import { insertRows } from "../../platform/db/insert-rows.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { Workspace } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { checkLimit } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";

/** The columns of a new workspace. */
type NewWorkspace = Pick<Workspace, "name" | "description" | "cardPrefix"> &
  Partial<
    Pick<
      Workspace,
      | "publicId"
      | "weekStartDay"
      | "timeZone"
      | "showEmailsToMembers"
      | "lastCardNumber"
      | "deletedAt"
    >
  >;

const unlessTaken = sql`ON CONFLICT DO NOTHING RETURNING *`;

/** Locks an account, and throws 409 when it cannot create another workspace, or be its member. */
export async function checkNewWorkspace(tx: UnitOfWork, userId: bigint): Promise<void> {
  await Promise.all([checkLimit(tx, "workspaces", userId), checkLimit(tx, "memberships", userId)]);
}

/** Inserts a workspace with the first free slug. Null when all slugs are in use. */
export async function insertWorkspace(
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  fields: NewWorkspace,
  slugs: string[],
  createdById: bigint,
): Promise<Workspace | null> {
  for (const slug of slugs) {
    const row = {
      publicId: publicId(),
      ...fields,
      slug,
      createdById,
      createdAt: now,
      updatedAt: now,
    };
    const [workspace] = await insertRows<Workspace>(query, "workspaces", [row], unlessTaken);
    if (workspace !== undefined) return workspace;
  }
  return null;
}

/** Inserts the three system roles of a workspace and its first admin. */
export async function insertFounder(
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  workspaceId: bigint,
  { userId, email }: Pick<Caller, "userId" | "email">,
  memberPublicId = publicId(),
): Promise<void> {
  const roles = Object.entries(systemRoles).map(([role, { level, description, permissions }]) => ({
    publicId: publicId(),
    workspaceId,
    name: role,
    description,
    hierarchyLevel: level,
    isSystem: true,
    permissions,
  }));
  await Promise.all([
    insertRows(query, "roles", roles),
    query(sql`INSERT INTO members ("publicId", "workspaceId", "userId", email, "roleId", status,
        "createdAt", "joinedAt")
      SELECT ${memberPublicId}, ${workspaceId}, ${userId}, ${email}, r.id, 'active',
        ${now}::timestamptz, ${now}::timestamptz
      FROM roles r WHERE r."workspaceId" = ${workspaceId} AND r.name = 'admin'`),
  ]);
}
