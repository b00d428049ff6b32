import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { viewCard } from "../views/cards.ts";

/** Deletes a card; it can be restored until the trash is emptied. */
export const deleteCard = mutation("card.delete")
  .meta(
    rest("Cards").delete(
      "/cards/{cardPublicId}",
      "Delete a card",
      "Deletes a card; it can be restored until the trash is emptied.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { card, list, board, workspace, tx } }) => {
    const after = await tx.prisma.card.update({
      where: { id: card.id },
      data: { deletedAt: tx.now, version: { increment: 1 }, updatedAt: tx.now },
    });
    tx.emit("card.deleted", { card: viewCard(after, workspace.cardPrefix), list, board });
    return success;
  });
