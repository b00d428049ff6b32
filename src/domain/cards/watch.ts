import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { eitherName, oldFlag, sameValue, success } from "../../contract/vocabulary/fields.ts";
import { WatchedCard } from "../../contract/resources/cards.ts";
import { sql } from "../../platform/db/sql.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cardDetail } from "./detail.ts";

const Watching = z
  .strictObject({
    isWatching: z
      .boolean()
      .meta({ description: "Whether the caller watches the card." })
      .optional(),
    watching: oldFlag("isWatching"),
  })
  .refine(...eitherName("isWatching", "watching"))
  .refine(...sameValue("isWatching", "watching"));

/** Subscribes the caller to a card, or unsubscribes. */
export const watchCard = mutation("card.watch", Watching)
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}/watch",
      "Watch or unwatch a card",
      "Subscribes the caller to notifications about a card's changes, or unsubscribes them. The " +
        "caller's notification preferences apply.",
      { bodyFields: { min: 1 } },
    ),
  )
  .output(WatchedCard)
  .mutation(async ({ ctx, input }) => {
    const { card, caller, tx } = ctx;
    await tx.query(
      (input.isWatching ?? input.watching)
        ? sql`INSERT INTO card_watchers ("cardId", "userId", "createdAt")
            VALUES (${card.id}, ${caller.userId}, ${tx.now}::timestamptz) ON CONFLICT DO NOTHING`
        : sql`DELETE FROM card_watchers
            WHERE "cardId" = ${card.id} AND "userId" = ${caller.userId}`,
    );
    return { ...(await cardDetail(tx.query, card, ctx)), ...success };
  });
