import { mayWrite } from "../../kernel/procedures.ts";
import { keyAgain } from "../../kernel/positions.ts";
import { checkCards } from "../../kernel/limits.ts";
import { conflict } from "../../platform/errors.ts";
import { rest } from "../../kernel/rest.ts";
import { Card } from "../../contract/resources/cards.ts";
import { viewCard } from "../views/cards.ts";
import { wholeCard } from "./detail.ts";

/** Takes a card out of the trash, to where it was, or to the end when the place is gone. */
export const restoreCard = mayWrite("card.restore")
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/restore",
      "Restore a deleted card",
      "Back to where it was, or to the end of its list when the place is gone. A card that is not deleted stays as it is; in a deleted list it is 409.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx }) => {
    const { card, list, board, workspace, work } = ctx;
    const gone = [workspace, board, list].some(({ deletedAt }) => deletedAt !== null);
    if (gone) throw conflict("The list has been deleted.");
    if (card.deletedAt === null) return wholeCard(work.query, card, ctx);
    if ((await work.lock("lists", [list.id])).length === 0)
      throw conflict("The list has been deleted.");
    await checkCards(work, workspace, board.id);
    const after = await work.tx.card.update({
      where: { id: card.id },
      data: {
        deletedAt: null,
        position: await keyAgain(work.query, "card", list.id, card.position),
        version: { increment: 1 },
        updatedAt: work.now,
      },
    });
    work.emit("card.restored", { card: viewCard(after, workspace.cardPrefix), list, board });
    return wholeCard(work.query, after, ctx);
  });
