import { randomBytes } from "node:crypto";
import { addCards } from "../add-cards.ts";
import { openClient, type FairCall, type FairClient } from "./client.ts";

/** The password of every account. */
export const benchPassword = "a password for the bench";

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

/** Creates an account with `cards` cards: on its first list, or on all of more lists than two. */
export async function makeAccount(
  { origin, url }: { origin: string; url: string },
  ip: string,
  cards: number,
  listCount = 2,
): Promise<Account> {
  const anonymous = openClient(origin, ip);
  const { accessToken: token } = await must(anonymous, {
    method: "POST",
    path: "/auth/register",
    body: {
      email: `${randomBytes(8).toString("hex")}@example.com`,
      password: benchPassword,
      name: "Bench",
    },
  });
  await anonymous.close();
  const client = openClient(origin, ip, token);
  const post = (path: string, body: unknown) => must(client, { method: "POST", path, body });
  const { publicId: workspace } = await post("/workspaces", { name: "Bench" });
  const board = await post(`/workspaces/${workspace}/boards`, {
    name: "Board",
    lists: ["One", "Two", ...Array.from({ length: listCount - 2 }, (_, nth) => `List ${nth}`)],
  });
  const lists = board.lists.map((list: { publicId: string }) => list.publicId);
  const { publicId: card } = await post("/cards", { listPublicId: lists[0], title: "A card" });
  const filled = listCount === 2 ? lists.slice(0, 1) : lists;
  for (const list of filled) await addCards(url, list, Math.floor(cards / filled.length));
  return { client, token, workspace, board: board.publicId, lists, card };
}
