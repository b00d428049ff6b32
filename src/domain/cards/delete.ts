import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { updateRow } from "../../platform/db/write.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Moves a card to the trash. */
export const deleteCard = mutation("card.delete")
  .meta(
    rest("Cards").delete(
      "/cards/{cardPublicId}",
      "Delete a card",
      "Moves a card to the trash. `card.restore` brings the card back until it is purged " +
        "(`TRASH_DAYS`).",
    ),
  )
  .output(Success)
  .mutation(({ ctx: { card, list, board, tx } }) => {
    tx.lockOrder("lists", list.id);
    const after = updateRow(tx, "cards", card, { deletedAt: tx.now, updatedAt: tx.now });
    tx.emit("card.deleted", { card: after, list, board });
    return Promise.resolve(success);
  });
