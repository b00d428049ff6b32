import { mutation } from "../../kernel/procedures/mutation.ts";
import { deleteRow } from "../../kernel/positions.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { setLive } from "../search/index-texts.ts";
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
    const after = deleteRow(tx, "card", card, list.id);
    void setLive(tx.query, card.id, false);
    tx.emit("card.deleted", { card: after, list, board });
    return success;
  });
