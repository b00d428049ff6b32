import { z } from "zod";
import { CustomFieldDetail, FieldChanges } from "../../contract/resources/custom-fields.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { moveRow, readIndex } from "../../kernel/positions.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { updateRow } from "../../platform/db/write.ts";
import { indexPlacement, placementOf, singlePlacement } from "../placement.ts";
import { showCustomField } from "../presenters/custom-fields.ts";
import { changeOptions, checkKind, readOptions } from "./options.ts";

const Update = z
  .strictObject({ ...FieldChanges, ...indexPlacement })
  .refine(...singlePlacement("Field"));

/** Changes the given parts of a field, and moves it on its board. */
export const updateField = mutation("field.update", Update)
  .meta(
    rest("Fields").put(
      "/fields/{fieldPublicId}",
      "Update or move a field",
      "Changes the name, the unit and the options of a field, whether lists of cards show it, and " +
        "its place on the board. `options` has all options in their order: one that is left out " +
        "is removed, with its values. `clearedCards` of `field.updated` is the number of cards that " +
        "lose one.",
    ),
  )
  .output(CustomFieldDetail)
  .mutation(async ({ ctx: { field, board, caller, tx }, input }) => {
    checkKind(field.type, input);
    const { name, isShownOnCard, unit } = input;
    const set = present({ name, isShownOnCard, unit: unit === "" ? null : unit });
    const move = await moveRow(tx, "field", field, board.id, placementOf(input));
    const index = move?.to ?? (await readIndex(tx.query, "field", field.id));
    const before = { ...showCustomField(field, []), index: move?.from ?? index };
    const {
      before: had,
      after: has,
      clearedCards,
    } = input.options === undefined
      ? await unchanged(readOptions(tx.query, field.id))
      : await changeOptions(tx, field, input.options, caller.userId);
    const showWithOptions = (row: typeof field) => ({ ...showCustomField(row, has), index });
    const changes = changesBetween(
      { ...before, options: had },
      showWithOptions({ ...field, ...set }),
    );
    if (Object.keys(changes).length === 0)
      return { ...showWithOptions(field), boardPublicId: board.publicId };
    const after = updateRow(tx, "custom_fields", field, { ...set, updatedAt: tx.now });
    const data = { field: showCustomField(after, has), board, to: { index }, clearedCards };
    tx.emit("field.updated", data, changes);
    return { ...showWithOptions(after), boardPublicId: board.publicId };
  });

/** What stays as it is. */
async function unchanged<Options>(reading: Promise<Options>) {
  const options = await reading;
  return { before: options, after: options, clearedCards: 0 };
}
