import { sql, type Sql } from "../../platform/db/sql.ts";

const isLive = (alias: Sql) => sql`${alias}."deletedAt" IS NULL AND ${alias}."archivedAt" IS NULL`;
const labels = sql`JOIN card_labels cl ON cl."cardId" = c.id
  JOIN labels la ON la.id = cl."labelId" AND la."deletedAt" IS NULL`;
const checklists = sql`JOIN checklists ch ON ch."cardId" = c.id AND ch."deletedAt" IS NULL`;
const items = sql`${checklists}
  JOIN checklist_items i ON i."checklistId" = ch.id AND i."deletedAt" IS NULL`;

const attachments = sql`JOIN attachments a ON a."cardId" = c.id AND a."deletedAt" IS NULL
  AND a.status = 'stored'`;

/**
 * At most `limit` of the rows that a copy of a board has, with the bytes of their texts and files.
 *
 * One statement has one snapshot: concurrent moves duplicate no row.
 */
export function contents(boardId: bigint, limit: number, withAttachments: boolean): Sql {
  const ofBoard = sql`WHERE l."boardId" = ${boardId} AND ${isLive(sql`l`)}`;
  const cards = (joins: Sql) => sql`FROM lists l
    JOIN cards c ON c."listId" = l.id AND ${isLive(sql`c`)} ${joins} ${ofBoard}`;
  const files = sql`UNION ALL SELECT 'attachment', a.id, c.id, 0, 0,
        octet_length(a.filename) + coalesce(octet_length(a.url), 0),
        CASE WHEN a."storageKey" IS NULL THEN 0 ELSE a.size END ${cards(attachments)}`;
  return sql`SELECT * FROM (
      SELECT 'list' AS kind, l.id, l."boardId" AS parent, l.position, 0 AS number,
        octet_length(l.name) AS bytes, 0::float8 AS "fileBytes" FROM lists l ${ofBoard}
      UNION ALL SELECT 'label', id, "boardId", 0, 0, octet_length(name), 0 FROM labels
        WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL
      UNION ALL SELECT 'card', c.id, c."listId", c.position, c.number, octet_length(c.title)
        + coalesce(octet_length(c.description), 0), 0 ${cards(sql.empty)}
      UNION ALL SELECT 'cardLabel', cl."labelId", c.id, 0, 0, 0, 0 ${cards(labels)}
      UNION ALL SELECT 'checklist', ch.id, c.id, ch.position, 0, octet_length(ch.name), 0
        ${cards(checklists)}
      UNION ALL SELECT 'item', i.id, ch.id, i.position, 0, octet_length(i.title), 0
        ${cards(items)} ${withAttachments ? files : sql.empty}
      LIMIT ${limit}::bigint) AS content
    ORDER BY number, id`;
}

/** Copies to insert: the rows that they copy, with new public ids, parents and positions. */
export type RowCopies = {
  ids: bigint[];
  publicIds: string[];
  parents: (bigint | null)[];
  positions: string[];
  workspaceId: bigint;
  createdById: bigint;
  now: Date;
};

const tables = {
  list: { table: "lists", parent: "boardId", columns: ["position", "name", "wipLimit"] },
  label: { table: "labels", parent: "boardId", columns: ["name", "colourCode"] },
  checklist: { table: "checklists", parent: "cardId", columns: ["position", "name"] },
  item: {
    table: "checklist_items",
    parent: "checklistId",
    columns: ["position", "title", "dueDate"],
  },
  // Both attachments have one file, which stays until the last of them is purged.
  attachment: {
    table: "attachments",
    parent: "cardId",
    columns: ["kind", "status", "filename", "contentType", "size", "sha256", "storageKey", "url"],
  },
};

/** The kinds of rows that are copied as they are. */
export type CopiedKind = keyof typeof tables;

/** Inserts copies of rows: one statement per table, whatever the number of rows. */
export function insertCopies(kind: CopiedKind, copies: RowCopies): Sql {
  const { table, parent, columns } = tables[kind];
  const names = sql.join(columns.map(sql.identifier), sql`, `);
  const values = columns.map((name) =>
    name === "position" ? sql`new.position` : sql`source.${sql.identifier(name)}`,
  );
  // The name of an attachment that was deleted meanwhile is erased.
  const isCurrent = kind === "attachment" ? sql`AND source."deletedAt" IS NULL` : sql.empty;
  const { ids, publicIds, parents, positions, workspaceId, createdById, now } = copies;
  return sql`
    INSERT INTO ${sql.identifier(table)} ("publicId", "workspaceId", "createdById", "createdAt",
      "updatedAt", ${sql.identifier(parent)}, ${names})
    SELECT new."publicId", ${workspaceId}::bigint, ${createdById}::bigint, ${now}::timestamptz,
      ${now}::timestamptz, new.parent, ${sql.join(values, sql`, `)}
    FROM unnest(${ids}::bigint[], ${publicIds}::text[], ${parents}::bigint[], ${positions}::numeric[])
      WITH ORDINALITY AS new(id, "publicId", parent, position, nth)
    JOIN ${sql.identifier(table)} source ON source.id = new.id ${isCurrent}
    ORDER BY new.nth RETURNING id, "publicId"`;
}

type Pairs = { cardIds: (bigint | null)[]; labelIds: (bigint | null)[] };

/** Puts labels on cards. */
export const insertCardLabels = (
  { cardIds, labelIds }: Pairs,
  { workspaceId, now }: { workspaceId: bigint; now: Date },
): Sql => sql`
  INSERT INTO card_labels ("cardId", "labelId", "workspaceId", "createdAt")
  SELECT pair.*, ${workspaceId}::bigint, ${now}::timestamptz
  FROM unnest(${cardIds}::bigint[], ${labelIds}::bigint[]) AS pair`;
