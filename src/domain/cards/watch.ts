import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { eitherName, oldFlag, sameValue, success } from "../../contract/vocabulary/texts.ts";
import { WatchedCard } from "../../contract/resources/cards.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
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

/** SQL: writes who watches locked cards `c`. */
export const keepWatcher = (isCard: Sql): Sql => sql`UPDATE cards c SET "watcherId" = (
    SELECT CASE count(*) WHEN 0 THEN NULL WHEN 1 THEN min(cw."userId") ELSE 0 END
    FROM card_watchers cw WHERE cw."cardId" = c.id)
  WHERE ${isCard}`;

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
    void tx.query(
      (input.isWatching ?? input.watching)
        ? sql`INSERT INTO card_watchers ("cardId", "userId", "createdAt")
            VALUES (${card.id}, ${caller.userId}, ${tx.now}::timestamptz) ON CONFLICT DO NOTHING`
        : sql`DELETE FROM card_watchers
            WHERE "cardId" = ${card.id} AND "userId" = ${caller.userId}`,
    );
    void tx.query(keepWatcher(sql`c.id = ${card.id}`));
    return { ...(await cardDetail(tx.query, card, ctx)), ...success };
  });
