import type { Query } from "../../../platform/db/query.ts";
import { publicId } from "../../../platform/db/public-id.ts";
import type { Import } from "../../../platform/db/rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import { lookUpIn, type Identity, type SourceRef } from "./identity.ts";

type ImportRef = Pick<Import, "id" | "workspaceId" | "family">;
type Row = SourceRef & { targetId: bigint; importId: bigint | null };

/** More rows go into several statements, each within its time limit. */
const maxRows = 5_000;

/** Records source ids in a table, so that another import of the source finds them. */
export const recordedIdentity = (row: ImportRef): Identity => ({
  publicId: () => publicId(),
  async find(query, refs) {
    const unique = new Map(refs.map((ref) => [`${ref.kind} ${ref.sourceId}`, ref]));
    const kinds = [...unique.values()].map(({ kind }) => kind);
    const ids = [...unique.values()].map(({ sourceId }) => sourceId);
    // OFFSET 0 makes each look-up use the unique index, whatever the statistics of the table say.
    const rows = await query<Row>(sql`
      SELECT ref.kind, ref."sourceId", item."targetId", item."importId"
      FROM unnest(${kinds}::text[], ${ids}::text[]) AS ref(kind, "sourceId")
      CROSS JOIN LATERAL (
        SELECT "targetId", "importId" FROM imported_things
        WHERE "workspaceId" = ${row.workspaceId} AND source = ${row.family}
          AND kind = ref.kind AND "sourceId" = ref."sourceId" OFFSET 0
      ) item`);
    return lookUpIn(rows.map((found) => ({ ...found, mine: found.importId === row.id })));
  },
  async record({ query, now }, boardId, rows) {
    for (let from = 0; from < rows.length; from += maxRows) {
      const some = rows.slice(from, from + maxRows);
      const kinds = some.map(({ kind }) => kind);
      const sourceIds = some.map(({ sourceId }) => sourceId);
      const targetIds = some.map(({ targetId }) => targetId);
      await query(sql`
        INSERT INTO imported_things ("workspaceId", "importId", "boardId", source, kind,
          "sourceId", "targetId", "createdAt")
        SELECT ${row.workspaceId}::bigint, ${row.id}::bigint, ${boardId}::bigint, ${row.family},
          item.kind, item."sourceId", item."targetId", ${now}::timestamptz
        FROM unnest(${kinds}::text[], ${sourceIds}::text[], ${targetIds}::bigint[])
          AS item(kind, "sourceId", "targetId")`);
    }
  },
});

/** Removes the records of a board that was deleted here, or moved to another workspace. */
export async function removeGoneBoard(query: Query, row: ImportRef, sourceId: string) {
  const { workspaceId, family } = row;
  await query(sql`
    DELETE FROM imported_things WHERE "workspaceId" = ${workspaceId} AND source = ${family}
      AND "boardId" IN (
        SELECT item."targetId" FROM imported_things item
        LEFT JOIN boards live ON live.id = item."targetId" AND live."deletedAt" IS NULL
          AND live."workspaceId" = ${workspaceId}
        WHERE item."workspaceId" = ${workspaceId} AND item.source = ${family}
          AND item.kind = 'board' AND item."sourceId" = ${sourceId} AND live.id IS NULL)`);
}
