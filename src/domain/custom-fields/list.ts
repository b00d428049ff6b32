import { z } from "zod";
import { CustomFieldDetail } from "../../contract/resources/custom-fields.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showCustomField, type OptionView } from "../presenters/custom-fields.ts";
import { sql } from "../../platform/db/sql.ts";
import { customFieldsOfBoard } from "./detail.ts";

type FieldRow = Parameters<typeof showCustomField>[0] & { options: OptionView[] };

/** Lists the fields of a board, in order. */
export const listFields = query("field.list")
  .meta(
    rest("Fields").get(
      "/boards/{boardPublicId}/fields",
      "List the fields of a board",
      "Returns all custom fields of a board with their options, in order.",
    ),
  )
  .output(z.array(CustomFieldDetail))
  .query(async ({ ctx: { board, db } }) => {
    const rows = await db.query<FieldRow>(customFieldsOfBoard(sql`${board.id}`));
    return rows.map((field, index) => ({
      ...showCustomField(field, field.options),
      boardPublicId: board.publicId,
      index,
    }));
  });
