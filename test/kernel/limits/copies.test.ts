import { expect, test } from "vitest";
import { useApp, type Reply } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { send as sendTrello } from "../../transfer/imports/importing.ts";
import { send as sendWorkspace } from "../../transfer/imports/sending.ts";

const app = useApp({ env: { TEXT_PER_DAY: "1", RATE_LIMIT: "1000", CACHE_MB: "0" } });

const description = "x".repeat(9_000);

/** A board with cards of 9 kB, which one user has written; another user is an admin too. */
async function scene() {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const [list = ""] = board.lists;
  const card = await makeCard(workspace.admin, list);
  for (let nth = 0; nth < 20; nth++) {
    const id = nth === 0 ? card : await makeCard(workspace.admin, list);
    await workspace.admin.rest.put(`/cards/${id}`, { description });
  }
  const other = await join(app(), workspace, "admin");
  return { workspace, board, card, other };
}
type Scene = Awaited<ReturnType<typeof scene>>;
type Copy = (scene: Scene, nth: number) => Promise<Pick<Reply, "status" | "body">>;

/** What writes more text than the caller sends, or sends it as a file. */
const copies: Record<string, Copy> = {
  "board.create": ({ workspace, board, other }) =>
    other.rest.post(`/workspaces/${workspace.publicId}/boards`, {
      name: "Copy",
      sourceBoardPublicId: board.publicId,
    }),
  "card.duplicate": ({ card, other }) => other.rest.post(`/cards/${card}/duplicate`, {}),
  "import.trelloFile": ({ workspace, other }, nth) => {
    const file = { id: `board-${nth}`, name: "Board", desc: "x".repeat(500_000) };
    return sendTrello(app(), workspace, file, other.token);
  },
  "workspace.import": async ({ workspace, other }) => {
    const { body } = await workspace.admin.rest.get(`/workspaces/${workspace.publicId}/export`);
    return sendWorkspace(app(), other, body);
  },
};

test.each(Object.keys(copies))("%s counts for TEXT_PER_DAY", async (name) => {
  const found = await scene();
  const statuses: number[] = [];
  for (let nth = 0; nth < 150 && !statuses.includes(429); nth++) {
    const reply = await copies[name]?.(found, nth);
    statuses.push(reply?.status ?? 0);
  }
  expect(statuses.length).toBeGreaterThan(1);
  expect(statuses.slice(0, -1)).toEqual(statuses.slice(0, -1).map(() => 200));
  expect(statuses.at(-1)).toBe(429);
});

test("a file that is refused does not count: smaller texts are written", async () => {
  const { workspace, other } = await scene();
  const file = { id: "board", name: "Board", desc: "x".repeat(1_100_000) };
  const refused = await sendTrello(app(), workspace, file, other.token);
  expect(refused).toMatchObject({
    status: 429,
    body: { issues: [{ message: "Rate limit exceeded: 1048576 bytes of text in 86400 s." }] },
  });
  expect((await other.rest.post("/workspaces", { name: "Small" })).status).toBe(200);
});
