import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cardRepresentation } from "./detail.ts";

const Watching = z.strictObject({ watching: z.boolean() });

/** Subscribes the caller to a card, or unsubscribes. */
export const watchCard = mutation("card.watch", Watching, cardRepresentation)
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}/watch",
      "Watch or unwatch a card",
      "Subscribes the caller to notifications of the card's changes, or unsubscribes. The " +
        "caller's notification preferences apply.",
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
