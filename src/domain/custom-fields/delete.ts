import { success, Success } from "../../contract/vocabulary/texts.ts";
import { deleteRow } from "../../kernel/positions.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showCustomField } from "../presenters/custom-fields.ts";
import { countCards, readOptions } from "./options.ts";

/** Moves a field with its values to the trash. */
export const deleteField = mutation("field.delete")
  .meta(
    rest("Fields").delete(
      "/fields/{fieldPublicId}",
      "Delete a field",
      "Moves a field with its values on all cards to the trash. `field.restore` brings both back " +
        "until they are purged (`TRASH_DAYS`). `clearedCards` of `field.deleted` is the number of " +
        "cards that had a value.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { field, board, tx } }) => {
    const options = await readOptions(tx.query, field.id);
    const clearedCards = await countCards(tx.query, field.id);
    const after = deleteRow(tx, "field", field, board.id);
    tx.emit("field.deleted", { field: showCustomField(after, options), board, clearedCards });
    return success;
  });
