import { z } from "zod";
import { mayWrite } from "../../kernel/procedures.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";

const Watching = z.strictObject({ watching: z.boolean() });

/** Lets the caller hear of a card's changes, or not any more. */
export const watchCard = mayWrite("card.watch", Watching)
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}/watch",
      "Watch a card, or stop",
      "Whoever watches a card is notified of its changes, as their preferences say.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { card, caller, work }, input }) => {
    const pair = { cardId: card.id, userId: caller.userId };
    if (input.watching) {
      await work.tx.cardWatcher.createMany({
        data: { ...pair, createdAt: work.now },
        skipDuplicates: true,
      });
    } else {
      await work.tx.cardWatcher.deleteMany({ where: pair });
    }
    return success;
  });
