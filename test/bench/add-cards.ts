import pg from "pg";
import { indexCards } from "../../src/domain/search/index-stored.ts";
import type { Query } from "../../src/platform/db/query.ts";
import { queryOn } from "../support/rows.ts";

/** Adds cards to a list, faster than the API could. */
export async function addCards(url: string, list: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: bigint }>(
    `WITH list AS (SELECT * FROM lists WHERE "publicId" = $1),
       counted AS (UPDATE workspaces w SET "lastCardNumber" = w."lastCardNumber" + $2::int
         FROM list WHERE w.id = list."workspaceId"
         RETURNING w."lastCardNumber" - $2::int AS before),
       placed AS MATERIALIZED (SELECT coalesce(floor(max(position)), 0) AS last
         FROM cards WHERE "listId" = (SELECT id FROM list))
     INSERT INTO cards ("publicId", "workspaceId", "boardId", "listId", number, title,
       description, position)
     SELECT substr(md5(n::text || random()::text), 1, 12), list."workspaceId", list."boardId",
       list.id, counted.before + n::int, 'Card ' || n || ': what is to be done, in one line',
       repeat('What has to be done. ', 10), placed.last + n
     FROM list, counted, placed, generate_series(1, $2::int) AS n RETURNING id`,
    [list, count],
  );
  const sent: Promise<unknown>[] = [];
  const send = queryOn(client);
  const ids = rows.map(({ id }) => id);
  try {
    // A unit of work waits for the statements of the index. Here nobody else does.
    const query: Query = (statement) => {
      const answer = send<any>(statement);
      answer.catch(() => undefined);
      sent.push(answer);
      return answer;
    };
    await indexCards(query, ids);
    await Promise.all(sent);
    await client.query("ANALYZE cards, search_texts");
  } finally {
    await client.end();
  }
}

/** Gives the cards of a workspace priorities and due dates: a third are urgent, half have a date. */
export async function spreadCards(url: string, workspace: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `UPDATE cards SET priority = (enum_range(NULL::"CardPriority"))[1 + number % 3 * 2],
       "dueDate" = CASE WHEN number % 2 = 0 THEN now() + make_interval(mins => number * 7 % 50000) END
     WHERE "workspaceId" = (SELECT id FROM workspaces WHERE "publicId" = $1)`,
    [workspace],
  );
  await client.query("VACUUM ANALYZE cards").finally(() => client.end());
}
