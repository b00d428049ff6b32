import { insertRows } from "../../../platform/db/insert-rows.ts";
import type { Query } from "../../../platform/db/query.ts";
import { publicId } from "../../../platform/db/public-id.ts";
import type { Import } from "../../../platform/db/rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { ImportContext } from "../job/context.ts";
import type { Identity } from "./identity.ts";
import type { Writer } from "./step.ts";

type ImportRef = Pick<Import, "id" | "workspaceId" | "family">;

/** Records source ids in a table, so that another import of the source finds them. */
export const recordedIdentity = ({ id, workspaceId, family }: ImportRef): Identity => ({
  publicId: () => publicId(),
  isWhole: false,
  // OFFSET 0 makes each look-up use the unique index, whatever the statistics of the table say.
  select: (kind, table, sourceIds) => sql`
    SELECT ref."sourceId", item."targetId", item."importId" IS NOT DISTINCT FROM ${id} AS mine,
      t.id IS NOT NULL AS "isLive"
    FROM unnest(${sourceIds}::text[]) AS ref("sourceId")
    CROSS JOIN LATERAL (
      SELECT "targetId", "importId" FROM imported_items
      WHERE "workspaceId" = ${workspaceId} AND source = ${family} AND kind = ${kind}
        AND "sourceId" = ref."sourceId" OFFSET 0
    ) item
    LEFT JOIN ${table} t ON t.id = item."targetId" AND t."deletedAt" IS NULL
      AND t."workspaceId" = ${workspaceId}`,
  async record({ query, now }, rows) {
    const of = { workspaceId, importId: id, source: family, createdAt: now };
    await insertRows(
      query,
      "imported_items",
      rows.map((row) => ({ ...of, ...row })),
    );
  },
});

/** Writes a source whose ids are recorded. */
export const recordedWriter = (context: ImportContext): Writer => ({
  context,
  identity: recordedIdentity(context.row),
  hasHistory: false,
  board: null,
});

/** Removes the records of a board that was deleted here, or moved to another workspace. */
export async function removeGoneBoard(query: Query, row: ImportRef, sourceId: string) {
  const { workspaceId, family } = row;
  await query(sql`
    DELETE FROM imported_items WHERE "workspaceId" = ${workspaceId} AND source = ${family}
      AND "boardId" IN (
        SELECT item."targetId" FROM imported_items item
        LEFT JOIN boards live ON live.id = item."targetId" AND live."deletedAt" IS NULL
          AND live."workspaceId" = ${workspaceId}
        WHERE item."workspaceId" = ${workspaceId} AND item.source = ${family}
          AND item.kind = 'board' AND item."sourceId" = ${sourceId} AND live.id IS NULL)`);
}
