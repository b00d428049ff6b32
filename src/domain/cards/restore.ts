import { mutation } from "../../kernel/procedures/mutation.ts";
import { restoredPosition } from "../../kernel/positions.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import { conflict } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Card } from "../../contract/resources/cards.ts";
import { viewCard } from "../views/cards.ts";
import { cardDetail } from "./detail.ts";

/** Takes a card out of the trash, to where it was, or to the end when the place is gone. */
export const restoreCard = mutation("card.restore")
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/restore",
      "Restore a deleted card",
      "Back to where it was, or to the end of its list when the place is gone. A card that is not deleted stays as it is; in a deleted list it is 409.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx }) => {
    const { card, list, board, workspace, tx } = ctx;
    const gone = [workspace, board, list].some(({ deletedAt }) => deletedAt !== null);
    if (gone) throw conflict("The list has been deleted.");
    if (card.deletedAt === null) return cardDetail(tx.query, card, ctx);
    if ((await tx.lock("lists", [list.id])).length === 0)
      throw conflict("The list has been deleted.");
    await checkCardLimit(tx, workspace, board.id);
    const after = await tx.prisma.card.update({
      where: { id: card.id },
      data: {
        deletedAt: null,
        position: await restoredPosition(tx.query, "card", list.id, card.position),
        version: { increment: 1 },
        updatedAt: tx.now,
      },
    });
    tx.emit("card.restored", { card: viewCard(after, workspace.cardPrefix), list, board });
    return cardDetail(tx.query, after, ctx);
  });
