-- Nobody is notified of a card that only the author of a change watches. The row of the card says who watches it at
-- most: null for nobody, the id of one user, or 0 for several. It is not changed when a watcher leaves.
ALTER TABLE "cards" ADD COLUMN "watcherId" BIGINT;

UPDATE "cards" c SET "watcherId" = CASE WHEN w.users = 1 THEN w."userId" ELSE 0 END
FROM (SELECT "cardId", count(*) AS users, min("userId") AS "userId" FROM "card_watchers" GROUP BY 1) w
WHERE w."cardId" = c.id;
