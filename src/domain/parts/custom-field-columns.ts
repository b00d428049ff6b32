import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import type { FieldThing } from "./custom-field-values.ts";
import type { BoardColumns } from "./part.ts";

/** The name of the column of a custom field. */
export const fieldColumn = (name: string, type: string): string => `fields.${name} (${type})`;

/** The name and the type of a custom field in the name of a column. */
export const fieldInColumn = /^fields\.(.+) \((\w+)\)$/s;

type Field = { publicId: string; name: string; type: string };

/** The columns of the CSV with the custom fields of a board, in order. */
export async function columnsOfBoard(query: Query, boardId: bigint): Promise<BoardColumns> {
  const fields = await query<Field>(sql`SELECT "publicId", name, type::text AS type
    FROM custom_fields WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL ORDER BY position`);
  return {
    names: fields.map(({ name, type }) => fieldColumn(name, type)),
    cells: (things: FieldThing[], listed) => {
      const values = new Map(things.map(({ fieldPublicId, named }) => [fieldPublicId, named]));
      return fields.map(({ publicId }) => {
        const value = values.get(publicId) ?? null;
        if (Array.isArray(value)) return listed(value);
        return value === null || typeof value === "number" ? value : String(value);
      });
    },
  };
}
