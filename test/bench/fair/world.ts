import { randomBytes } from "node:crypto";
import { generateNKeysBetween } from "fractional-indexing";
import pg from "pg";
import { openClient, type FairCall, type FairClient } from "./client.ts";

/** An account with a workspace, a board of two lists, and cards on the first. */
export type Account = {
  client: FairClient;
  token: string;
  workspace: string;
  board: string;
  lists: [string, string];
  card: string;
};

/** A call that must succeed. */
export async function must(client: FairClient, call: FairCall): Promise<any> {
  const { status, body } = await client.send(call);
  if (status !== 200) throw new Error(`${call.path}: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Creates an account with `cards` cards. */
export async function makeAccount(
  { origin, url }: { origin: string; url: string },
  ip: string,
  cards: number,
): Promise<Account> {
  const anonymous = openClient(origin, ip);
  const { accessToken: token } = await must(anonymous, {
    method: "POST",
    path: "/auth/register",
    body: {
      email: `${randomBytes(8).toString("hex")}@example.com`,
      password: "a password for the bench",
      name: "Bench",
    },
  });
  await anonymous.close();
  const client = openClient(origin, ip, token);
  const post = (path: string, body: unknown) => must(client, { method: "POST", path, body });
  const { publicId: workspace } = await post("/workspaces", { name: "Bench" });
  const board = await post(`/workspaces/${workspace}/boards`, {
    name: "Board",
    lists: ["One", "Two"],
  });
  const lists = board.lists.map((list: { publicId: string }) => list.publicId);
  const { publicId: card } = await post("/cards", { listPublicId: lists[0], title: "A card" });
  await addCards(url, lists[0], cards);
  return { client, token, workspace, board: board.publicId, lists, card };
}

/** Adds cards to a list, faster than the API could. */
async function addCards(url: string, list: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `WITH list AS (SELECT * FROM lists WHERE "publicId" = $1),
       counted AS (UPDATE workspaces w SET "lastCardNumber" = w."lastCardNumber" + $2::int
         FROM list WHERE w.id = list."workspaceId"
         RETURNING w."lastCardNumber" - $2::int AS before)
     INSERT INTO cards ("publicId", "workspaceId", "boardId", "listId", number, title,
       description, position)
     SELECT substr(md5(n::text || random()::text), 1, 12), list."workspaceId", list."boardId",
       list.id, counted.before + n::int, 'Card ' || n || ': what is to be done, in one line',
       repeat('What has to be done. ', 10), 'b' || keys.position
     FROM list, counted, unnest($3::text[]) WITH ORDINALITY AS keys(position, n)`,
    [list, count, generateNKeysBetween(null, null, count)],
  );
  await client.query("ANALYZE cards").finally(() => client.end());
}
