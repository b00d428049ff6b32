import { mutation } from "../../kernel/procedures/mutation.ts";
import { restoreRow } from "../../kernel/positions.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import { conflict } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Card } from "../../contract/resources/cards.ts";
import { indexTexts, setLive, textOfCard } from "../search/index-texts.ts";
import { cardDetail } from "./detail.ts";

/** Restores a card from the trash. */
export const restoreCard = mutation("card.restore")
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/restore",
      "Restore a deleted card",
      "Restores a deleted card to its old position, or to the end of its list if that position " +
        "is taken. Restoring a card that is not deleted changes nothing. Returns 409 if its list " +
        "is deleted.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx }) => {
    const { card, list, board, workspace, tx } = ctx;
    const isDeleted = [workspace, board, list].some(({ deletedAt }) => deletedAt !== null);
    if (isDeleted) throw listDeleted();
    if (card.deletedAt === null) return cardDetail(tx.query, card, ctx);
    const after = await restoreRow(tx, "card", card, list.id);
    if (after === null) throw listDeleted();
    void setLive(tx.query, card.id, true);
    // The purge may have deleted words that no other name has.
    indexTexts(tx.query, card, [textOfCard(after)]);
    await checkCardLimit(tx, workspace, board.id, 0);
    tx.emit("card.restored", { card: after, list, board });
    return cardDetail(tx.query, after, ctx);
  });

const listDeleted = () =>
  conflict("parent_deleted", "The list of the card is deleted. Restore the list first.");
