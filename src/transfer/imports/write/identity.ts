import { importedTables } from "../../../contract/fields/part.ts";
import { boardParts } from "../../../contract/resources/board-parts.ts";
import { cardParts } from "../../../contract/resources/card-parts.ts";
import type { UnitOfWork } from "../../../kernel/events/unit-of-work.ts";
import { insertRows } from "../../../platform/db/insert-rows.ts";
import { publicId } from "../../../platform/db/public-id.ts";
import type { Query } from "../../../platform/db/query.ts";
import type { Import } from "../../../platform/db/rows.ts";
import { sql, type Sql } from "../../../platform/db/sql.ts";

/** The tables of the kinds of resources that an import finds again by their source ids. */
export const tables = {
  board: "boards",
  ...importedTables(boardParts),
  card: "cards",
  ...importedTables(cardParts),
} as const;

/** The kinds of resources that an import finds again. */
export type ImportedKind = keyof typeof tables;

/** A resource of the source. */
export type SourceRef = { kind: ImportedKind; sourceId: string };

/** References to resources of one kind. */
export const refsOf = (kind: ImportedKind, items: { publicId: string }[]): SourceRef[] =>
  items.map(({ publicId: sourceId }) => ({ kind, sourceId }));

/** The row of a resource that was imported before; `mine` when this import created it. */
export type Known = { targetId: bigint; mine: boolean; isLive: boolean };

/** Returns the row of a resource that was imported before. */
export type LookUp = (kind: ImportedKind, sourceId: string) => Known | undefined;

/** How ids of a source become ours. */
export type Identity = {
  /** The public id of a new row. */
  publicId: (sourceId: string) => string;
  /** Selects `sourceId`, `targetId`, `mine` and `isLive` of resources that were imported before. */
  select: (kind: ImportedKind, table: Sql, sourceIds: string[]) => Sql;
  /** A card of this identity is always imported with all its parts. */
  isWhole: boolean;
  /** Records new rows, in the transaction that writes them. */
  record: (
    tx: Pick<UnitOfWork, "query" | "now">,
    rows: (SourceRef & { targetId: bigint; boardId: bigint })[],
  ) => Promise<void>;
};

const isKind = (kind: string): kind is ImportedKind => Object.hasOwn(tables, kind);
const kindsOf = (parts: object) => Object.keys(parts).filter(isKind);
const kinds = ["board", ...kindsOf(importedTables(boardParts)), "card"].filter(isKind);
const parts = kindsOf(importedTables(cardParts));

/** Finds what was imported before. */
export async function findKnown(
  { select, isWhole }: Identity,
  query: Query,
  refs: SourceRef[],
): Promise<LookUp> {
  const keyOf = (kind: ImportedKind, sourceId: string) => `${kind} ${sourceId}`;
  const imported = new Map<string, Known>();
  const find = async (kind: ImportedKind) => {
    const ids = new Set(refs.flatMap((ref) => (ref.kind === kind ? [ref.sourceId] : [])));
    if (ids.size === 0) return 0;
    const rows = await query<Known & { sourceId: string }>(
      select(kind, sql.identifier(tables[kind]), [...ids]),
    );
    for (const { sourceId, ...row } of rows) imported.set(keyOf(kind, sourceId), row);
    return rows.length;
  };
  let cards = 0;
  for (const kind of kinds) cards = await find(kind);
  const isNew = isWhole && cards === 0 && refs.some(({ kind }) => kind === "card");
  for (const kind of isNew ? [] : parts) await find(kind);
  return (kind, sourceId) => imported.get(keyOf(kind, sourceId));
}

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
