import { CustomFieldDetail } from "../../contract/resources/custom-fields.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { readIndex, restoreRow } from "../../kernel/positions.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { conflict } from "../../platform/errors.ts";
import { showCustomField } from "../presenters/custom-fields.ts";
import { customFieldDetail } from "./detail.ts";
import { readOptions } from "./options.ts";

/** Restores a field with its values from the trash. */
export const restoreField = mutation("field.restore")
  .meta(
    rest("Fields").post(
      "/fields/{fieldPublicId}/restore",
      "Restore a deleted field",
      "Restores a deleted field with its values to its old position, or to the end of the board " +
        "if that position is taken. Restoring a field that is not deleted changes nothing. " +
        "Returns 409 if its board is deleted, or has too many fields.",
    ),
  )
  .output(CustomFieldDetail)
  .mutation(async ({ ctx: { field, board, workspace, tx } }) => {
    if (workspace.deletedAt !== null || board.deletedAt !== null) throw boardDeleted();
    if (field.deletedAt === null) return customFieldDetail(tx.query, field, board);
    const after = await restoreRow(tx, "field", field, board.id);
    if (after === null) throw boardDeleted();
    await checkLimit(tx, "fields", board.id, 0);
    const shownField = showCustomField(after, await readOptions(tx.query, field.id));
    const index = await readIndex(tx.query, "field", field.id);
    tx.emit("field.restored", { field: shownField, board, to: { index } });
    return { ...shownField, boardPublicId: board.publicId, index };
  });

const boardDeleted = () =>
  conflict("parent_deleted", "The board of the field is deleted. Restore the board first.");
