import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

const Watching = z.strictObject({ watching: z.boolean() });

/** Lets the caller hear of a card's changes, or not any more. */
export const watchCard = mutation("card.watch", Watching)
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}/watch",
      "Watch a card, or stop",
      "Whoever watches a card is notified of its changes, as their preferences say.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { card, caller, tx }, input }) => {
    const pair = { cardId: card.id, userId: caller.userId };
    if (input.watching) {
      await tx.prisma.cardWatcher.createMany({
        data: { ...pair, createdAt: tx.now },
        skipDuplicates: true,
      });
    } else {
      await tx.prisma.cardWatcher.deleteMany({ where: pair });
    }
    return success;
  });
