import { mayWrite } from "../../kernel/procedures.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";
import { viewCard } from "../views/cards.ts";

/** Deletes a card; it can be restored until the trash is emptied. */
export const deleteCard = mayWrite("card.delete")
  .meta(
    rest("Cards").delete(
      "/cards/{cardPublicId}",
      "Delete a card",
      "Deletes a card; it can be restored until the trash is emptied.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { card, list, board, workspace, work } }) => {
    const after = await work.tx.card.update({
      where: { id: card.id },
      data: { deletedAt: work.now, version: { increment: 1 }, updatedAt: work.now },
    });
    work.emit("card.deleted", { card: viewCard(after, workspace.cardPrefix), list, board });
    return success;
  });
