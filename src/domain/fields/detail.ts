import type { z } from "zod";
import type { CustomField as Shown, CustomFieldDetail } from "../../contract/resources/fields.ts";
import { readIndex } from "../../kernel/positions.ts";
import type { Query } from "../../platform/db/query.ts";
import type { CustomField } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { viewField, type OptionView } from "../views/fields.ts";
import { optionsOf, readOptions } from "./options.ts";

type Detail = z.infer<typeof CustomFieldDetail>;

/** A field of a board, as boards read it. */
export type FieldRow = Pick<
  CustomField,
  "id" | "publicId" | "name" | "type" | "unit" | "version"
> & {
  isShownOnCard: boolean;
  options: OptionView[];
  /** Its place among the fields of the board. */
  rank: number;
};

/** SQL: the live fields of a board, in order. */
export const fieldsOfBoard = (boardId: bigint): Sql => sql`SELECT f.id, f."publicId", f.name,
    f.type::text AS type, f.unit, f."isShownOnCard", f.version, ${optionsOf(sql`f.id`)} AS options,
    row_number() OVER (ORDER BY f.position)::int AS rank
  FROM custom_fields f WHERE f."boardId" = ${boardId} AND f."deletedAt" IS NULL
  ORDER BY f.position`;

/** A field as boards show it. */
export function shownField(row: FieldRow): z.infer<typeof Shown> {
  const { version: _, ...field } = viewField(row, row.options);
  return field;
}

/** A field with its board and its index. */
export async function fieldDetail(
  query: Query,
  field: CustomField,
  board: { publicId: string },
): Promise<Detail> {
  const [options, index] = await Promise.all([
    readOptions(query, field.id),
    readIndex(query, "field", field.id),
  ]);
  return { ...viewField(field, options), boardPublicId: board.publicId, index };
}
