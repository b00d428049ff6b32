import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Moves a card to the trash. */
export const deleteCard = mutation("card.delete")
  .meta(
    rest("Cards").delete(
      "/cards/{cardPublicId}",
      "Delete a card",
      "Moves a card to the trash. `card.restore` brings it back until the trash is emptied.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { card, list, board, tx } }) => {
    const after = await tx.prisma.card.update({
      where: { id: card.id },
      data: { deletedAt: tx.now, version: { increment: 1 }, updatedAt: tx.now },
    });
    tx.emit("card.deleted", { card: after, list, board });
    return success;
  });
