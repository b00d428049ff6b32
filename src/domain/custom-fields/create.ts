import { z } from "zod";
import { CustomFieldDetail, NewField } from "../../contract/resources/custom-fields.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { insertPlaced } from "../../kernel/positions.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { CustomField } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { indexPlacement, placementOf, singlePlacement } from "../placement.ts";
import { showCustomField } from "../presenters/custom-fields.ts";
import { customFieldDetail } from "./detail.ts";
import { checkKind, insertOptions } from "./options.ts";

const New = z.strictObject({ ...NewField, ...indexPlacement }).refine(...singlePlacement("Field"));

/** Adds a field to a board, at the end unless an index is given. */
export const createField = mutation("field.create", New, {
  onReplay: ({ field, board, tx }) => customFieldDetail(tx.query, field, board),
})
  .meta(
    rest("Fields").post(
      "/boards/{boardPublicId}/fields",
      "Add a field to a board",
      "Adds a custom field to the cards of a board, at the end or at `index`. Its type cannot be " +
        "changed later. Returns 409 if the board has too many fields.",
    ),
  )
  .output(CustomFieldDetail)
  .mutation(async ({ ctx: { board, caller, newId, tx }, input }) => {
    const { name, type, unit = null, isShownOnCard, options = [] } = input;
    checkKind(type, input);
    await checkLimit(tx, "fields", board.id);
    const values = sql`${newId}, ${board.workspaceId}::bigint, ${board.id}::bigint, ${name},
      ${type}::"CustomFieldType", ${unit || null}, ${isShownOnCard}::boolean,
      ${caller.userId}::bigint, ${tx.now}::timestamptz, ${tx.now}::timestamptz`;
    const field = await insertPlaced<CustomField>(
      tx.query,
      "field",
      board.id,
      placementOf(input) ?? {},
      sql`INSERT INTO custom_fields ("publicId", "workspaceId", "boardId", name, type, unit,
        "isShownOnCard", "createdById", "createdAt", "updatedAt", position)
        SELECT ${values}, place.position FROM place`,
    );
    const shownField = showCustomField(field, await insertOptions(tx, field, options));
    const { index } = field;
    tx.emit("field.created", { field: shownField, board, to: { index } });
    return { ...shownField, boardPublicId: board.publicId, index };
  });
