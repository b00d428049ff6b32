import type { z } from "zod";
import type { CustomFieldDetail } from "../../contract/resources/custom-fields.ts";
import { readIndex } from "../../kernel/positions.ts";
import type { Query } from "../../platform/db/query.ts";
import type { CustomField } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { showCustomField } from "../presenters/custom-fields.ts";
import { optionsOf, readOptions } from "./options.ts";

type Detail = z.infer<typeof CustomFieldDetail>;

/** SQL: the live custom fields of boards, in order. */
export const customFieldsOfBoard = (boardId: Sql): Sql => sql`
  SELECT f.id, f."boardId" AS parent, f."publicId", f.name, f.type::text AS type,
    ${optionsOf(sql`f.id`)} AS options, f.unit, f."isShownOnCard", f.version
  FROM custom_fields f WHERE f."boardId" = ${boardId} AND f."deletedAt" IS NULL
  ORDER BY f.position`;

/** A field with its board and its index. */
export async function customFieldDetail(
  query: Query,
  field: CustomField,
  board: { publicId: string },
): Promise<Detail> {
  const [options, index] = await Promise.all([
    readOptions(query, field.id),
    readIndex(query, "field", field.id),
  ]);
  return { ...showCustomField(field, options), boardPublicId: board.publicId, index };
}
