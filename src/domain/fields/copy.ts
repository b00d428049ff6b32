import { sql, type Sql } from "../../platform/db/sql.ts";

/** The tables of fields that a copy of a board has, parents first. */
export const copiedFields = [
  {
    table: "custom_fields",
    columns: ["position", "name", "type", "unit", "isShownOnCard"],
    parent: { table: "boards", column: "boardId" },
  },
  {
    table: "custom_field_options",
    columns: ["position", "name", "colourCode"],
    parent: { table: "custom_fields", column: "fieldId" },
  },
];

/** SQL: the fields of a board and their options, as `CopiedRow`. */
export const fieldsToCopy = (boardId: bigint): Sql => sql`
  SELECT 'custom_fields', f.id, f."boardId", f.position, 0, octet_length(f.name), 0
  FROM custom_fields f WHERE f."boardId" = ${boardId} AND f."deletedAt" IS NULL
  UNION ALL SELECT 'custom_field_options', o.id, o."fieldId", o.position, 0,
    octet_length(o.name), 0
  FROM custom_field_options o JOIN custom_fields f ON f.id = o."fieldId"
  WHERE f."boardId" = ${boardId} AND f."deletedAt" IS NULL AND o."deletedAt" IS NULL`;
