import { z } from "zod";
import { CustomFieldDetail } from "../../contract/resources/fields.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showField, type OptionView } from "../shown/fields.ts";
import { sql } from "../../platform/db/sql.ts";
import { fieldsOfBoard } from "./detail.ts";

type FieldRow = Parameters<typeof showField>[0] & { options: OptionView[] };

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
    const rows = await db.query<FieldRow>(fieldsOfBoard(sql`${board.id}`));
    return rows.map((field, index) => ({
      ...showField(field, field.options),
      boardPublicId: board.publicId,
      index,
    }));
  });
