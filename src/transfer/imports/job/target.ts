import { effectivePermissions, type Permission } from "../../../contract/vocabulary/permissions.ts";
import { overridesOf, type Override } from "../../../kernel/access/effective-permissions.ts";
import type { Query } from "../../../platform/db/query.ts";
import type { Import } from "../../../platform/db/rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import { ImportFailure } from "./failure.ts";

/** The fields of an import that has ended: its input is erased. */
export const ended = { input: "", lockedBy: null, version: { increment: 1 } } as const;

/**
 * The workspace that an import writes to, and what its starter may do there now.
 *
 * An import that an API key started has the scope of the key.
 */
export type ImportWorkspace = {
  id: bigint;
  publicId: string;
  cardPrefix: string;
  isDeleted: boolean;
  /** The starter as a member; null when they are not one. */
  memberId: bigint | null;
  may: ReadonlySet<Permission>;
  /** Whether the API key that started the import, if one did, allows a permission. */
  keyAllows: (permission: Permission) => boolean;
  /** Whether an API key started the import and was revoked since. */
  isKeyRevoked: boolean;
};

type Row = Omit<ImportWorkspace, "may" | "keyAllows"> & {
  permissions: string[];
  overrides: Override[];
  /** The permissions of the key; null for all. */
  ofKey: string[] | null;
};

/** Locks an import that this run holds; undefined if it no longer does. */
export async function lockImport(
  query: Query,
  { id, lockedBy }: Pick<Import, "id" | "lockedBy">,
  apiKeyId: string | null,
): Promise<ImportWorkspace | undefined> {
  const [row] = await query<Row>(sql`
    SELECT w.id, w."publicId", w."cardPrefix", w."deletedAt" IS NOT NULL AS "isDeleted",
      m.id AS "memberId", coalesce(r.permissions, '{}') AS permissions,
      ${overridesOf} AS overrides,
      CASE WHEN k."allPermissions" THEN NULL ELSE k.permissions END AS "ofKey",
      ${apiKeyId}::bigint IS NOT NULL AND (k.id IS NULL OR k."revokedAt" IS NOT NULL)
        AS "isKeyRevoked"
    FROM imports i JOIN workspaces w ON w.id = i."workspaceId"
    LEFT JOIN members m ON m."workspaceId" = w.id AND m."userId" = i."createdById"
      AND m.status = 'active'
    LEFT JOIN roles r ON r.id = m."roleId"
    LEFT JOIN api_keys k ON k.id = ${apiKeyId}::bigint
    WHERE i.id = ${id} AND i."lockedBy" = ${lockedBy} AND i.status = 'running'
    FOR NO KEY UPDATE OF i`);
  if (row === undefined) return undefined;
  const { permissions, overrides, ofKey, ...target } = row;
  const keyAllows = (permission: Permission) => ofKey === null || ofKey.includes(permission);
  const may = effectivePermissions(permissions, overrides).filter(keyAllows);
  return { ...target, keyAllows, may: new Set(may) };
}

/** Throws when the starter of an import may not write to its target now. */
export function checkWritable({ isDeleted, isKeyRevoked, may }: ImportWorkspace): void {
  if (isDeleted) throw new ImportFailure("The workspace has been deleted.");
  if (isKeyRevoked) throw new ImportFailure("The API key that started the import was revoked.");
  if (!may.has("board:create"))
    throw new ImportFailure("The member who started the import may not create boards here.");
}
