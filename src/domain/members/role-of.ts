import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import { name, PublicId } from "../../contract/vocabulary/fields.ts";
import { sql } from "../../platform/db/sql.ts";

/** A role by its public id or by its name. */
export const roleFields = {
  rolePublicId: PublicId.optional(),
  role: name(1, 64).optional(),
};

/** At most one of the two. */
export const oneRole = (fields: { rolePublicId?: string | undefined; role?: string | undefined }) =>
  fields.rolePublicId === undefined || fields.role === undefined;

/** What `oneRole` says to an input that names two. */
export const oneRoleFault = {
  error: "At most one of rolePublicId and role may be given",
  path: ["role"],
};

/** The role of a workspace that an input names, or its `member` role when it names none; 404 when there is none such. */
export async function namedRole(
  tx: UnitOfWork,
  workspaceId: bigint,
  {
    rolePublicId,
    role = "member",
  }: { rolePublicId?: string | undefined; role?: string | undefined },
) {
  const found = await tx.prisma.role.findFirst({
    where:
      rolePublicId === undefined
        ? { workspaceId, name: role }
        : { workspaceId, publicId: rolePublicId },
  });
  // Shared, so that it cannot be deleted before whoever is given it has it.
  const locked =
    found === null ? [] : await tx.query(sql`SELECT 1 FROM roles WHERE id = ${found.id} FOR SHARE`);
  if (found === null || locked.length === 0) throw notFound("role");
  return found;
}
