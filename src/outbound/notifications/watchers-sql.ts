import type { WatchedCard } from "../../kernel/events/pending-event.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** SQL: the rows of `new_watchers` on each card: how many, and the first user. */
const added = sql`(SELECT "cardId", count(*) AS users, min("userId") AS "userId"
  FROM new_watchers GROUP BY "cardId") added`;

/** SQL: writes who watches a card at most, when `new_watchers` has been added. */
const watched = sql`, watched AS (UPDATE cards c SET "watcherId" =
    CASE WHEN added.users = 1 AND coalesce(c."watcherId", added."userId") = added."userId"
      THEN added."userId" ELSE 0 END
  FROM ${added} WHERE c.id = added."cardId")`;

/** SQL: the members who are assigned to cards, of the table `candidates`. */
const assigned = sql`SELECT "cardId", "userId" FROM candidates
  WHERE type = 'assigned' AND "userId" IS NOT NULL`;

/**
 * SQL: members who are assigned to cards, and the author of comments on cards, watch them from now
 * on.
 */
export function newWatchers(
  userId: bigint | null,
  commented: readonly WatchedCard[],
  hasAssigned: boolean,
  now: Date,
): Sql {
  const authors = sql`SELECT id, ${userId}::bigint
    FROM unnest(${commented.map(({ id }) => id)}::bigint[]) AS commented(id)`;
  const watchers = [...(hasAssigned ? [assigned] : []), ...(commented.length > 0 ? [authors] : [])];
  const isNew = ({ watcherId }: WatchedCard) => watcherId !== userId && watcherId !== 0n;
  return sql`new_watchers AS (
    INSERT INTO card_watchers ("cardId", "userId", "createdAt")
    SELECT watcher.*, ${now}::timestamptz FROM (${sql.join(watchers, sql` UNION `)}) watcher
    ON CONFLICT DO NOTHING RETURNING "cardId", "userId")
    ${hasAssigned || commented.some(isNew) ? watched : sql.empty}`;
}
