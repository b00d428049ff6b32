import type { Permission } from "../../../contract/vocabulary/permissions.ts";
import { insertRows } from "../../../platform/db/insert-rows.ts";
import type { Query } from "../../../platform/db/query.ts";
import type { Import } from "../../../platform/db/rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { Issue } from "./report.ts";

/** The starter of an import as a member; null when they are not one. */
export type Starter = { memberId: bigint | null; may: ReadonlySet<Permission> };

type Row = {
  id: bigint;
  publicId: string;
  cardPrefix: string;
  isDeleted: boolean;
  memberId: bigint | null;
  permissions: Permission[] | null;
};

/** Locks an import that this run holds; undefined when it does not hold it any longer. */
export async function lockImport(query: Query, { id, lockedBy }: Pick<Import, "id" | "lockedBy">) {
  const [row] = await query<Row>(sql`
    SELECT w.id, w."publicId", w."cardPrefix", w."deletedAt" IS NOT NULL AS "isDeleted",
      m.id AS "memberId", (
        SELECT array_agg(held.permission) FROM (
          SELECT unnest(r.permissions) AS permission
          UNION SELECT o.permission FROM member_overrides o
            WHERE o."memberId" = m.id AND o.granted
          EXCEPT SELECT o.permission FROM member_overrides o
            WHERE o."memberId" = m.id AND NOT o.granted
        ) held
      ) AS permissions
    FROM imports i JOIN workspaces w ON w.id = i."workspaceId"
    LEFT JOIN members m ON m."workspaceId" = w.id AND m."userId" = i."createdById"
      AND m.status = 'active'
    LEFT JOIN roles r ON r.id = m."roleId"
    WHERE i.id = ${id} AND i."lockedBy" = ${lockedBy} AND i.status = 'running'
    FOR NO KEY UPDATE OF i`);
  if (row === undefined) return undefined;
  const { permissions, ...target } = row;
  return { ...target, may: new Set(permissions ?? []) };
}

/** Stores issues of an import. */
export async function saveIssues(
  query: Query,
  { id: importId, workspaceId }: Import,
  issues: Issue[],
): Promise<void> {
  const rowOf = ({ partly, isHarmless, count = 1, ...issue }: Issue) => ({
    importId,
    workspaceId,
    kind: issue.kind,
    sourceId: issue.sourceId,
    name: issue.name,
    reason: issue.reason,
    detail: issue.detail,
    severity: isHarmless === true ? "info" : partly === true ? "partial" : "loss",
    cardPublicId: issue.cardPublicId,
    count,
  });
  await insertRows(query, "import_issues", issues.map(rowOf));
}
