import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import { name, PublicId } from "../../contract/vocabulary/texts.ts";
import type { Role } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";

const roleName = (description: string) =>
  name(64)
    .meta({ description, examples: ["member"] })
    .optional();

/** A role by its public id or by its name. */
export const roleReferenceFields = {
  rolePublicId: PublicId.meta({ description: "Public id of the role." }).optional(),
  role: roleName("The name of the role. Set this or `rolePublicId`."),
};

/** A role by its public id or by its name, or the default one. */
export const optionalRoleFields = {
  ...roleReferenceFields,
  role: roleName("The name of the role; `member` by default. Set this or `rolePublicId`."),
};

/** Whether the input names at most one role. */
export const hasOneRole = (fields: {
  rolePublicId?: string | undefined;
  role?: string | undefined;
}) => fields.rolePublicId === undefined || fields.role === undefined;

/** The error when `hasOneRole` is false. */
export const oneRoleError = {
  error: "Use either rolePublicId or role, not both",
  path: ["role"],
};

/** Finds the role that an input names; `member` by default. 404 when it does not exist. */
export async function findRole(
  tx: UnitOfWork,
  workspaceId: bigint,
  {
    rolePublicId,
    role = "member",
  }: { rolePublicId?: string | undefined; role?: string | undefined },
) {
  const hasName =
    rolePublicId === undefined ? sql`name = ${role}` : sql`"publicId" = ${rolePublicId}`;
  // The shared lock prevents a concurrent deletion of the role.
  const [row] = await tx.query<Role>(sql`
    SELECT * FROM roles WHERE "workspaceId" = ${workspaceId} AND ${hasName} FOR SHARE`);
  if (row === undefined) throw notFound("role");
  return row;
}
