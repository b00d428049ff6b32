import { expect, test } from "vitest";
import { CopiedRows, maxCopied } from "../../../src/kernel/events/copied-rows.ts";
import { createLimits } from "../../../src/kernel/request/rate-limits.ts";
import { useApp, type Reply } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { useStatements } from "../../support/statements.ts";
import { send as sendTrello } from "../../transfer/imports/importing.ts";
import { send as sendWorkspace } from "../../transfer/imports/sending.ts";

const app = useApp({ env: { RATE_LIMIT: "1000" }, constants: { TEXT_PER_DAY: 1, CACHE_MB: 0 } });

const statementsOf = useStatements();

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
  "import.csv": async ({ workspace, other }, nth) => {
    const query = `?workspacePublicId=${workspace.publicId}&boardName=Board%20${nth}`;
    const response = await app().fetch(
      new Request(`http://service/api/v1/imports/csv${query}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${other.token}` },
        body: `title,description\nCard,${"x".repeat(500_000)}\n`,
      }),
    );
    return { status: response.status, body: await response.json() };
  },
  "workspace.import": async ({ workspace, other }) => {
    const { body } = await workspace.admin.rest.get(`/workspaces/${workspace.publicId}/export`);
    return sendWorkspace(app(), other, body);
  },
};

test.each(Object.keys(copies))("%s counts for the text of the day", async (name) => {
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

const copyOf = ({ workspace, board }: Scene, name = "Copy") => ({
  operation: "board.create",
  input: { workspacePublicId: workspace.publicId, name, sourceBoardPublicId: board.publicId },
});

test("dry runs and batches that fail do not count; the copies of a batch count together", async () => {
  const found = await scene();
  const { workspace, other } = found;
  const batch = (operations: object[], dryRun = false) =>
    other.rest.post(`/workspaces/${workspace.publicId}/batch`, { operations, dryRun });
  // About 180 kB each.
  for (let nth = 0; nth < 8; nth++) {
    expect((await batch([copyOf(found)], true)).status).toBe(200);
  }
  const missing = { operation: "card.delete", input: { cardPublicId: "missing00000" } };
  for (let nth = 0; nth < 8; nth++) {
    expect((await batch([copyOf(found), missing])).status).toBe(404);
  }
  const seven = Array.from({ length: 7 }, (_, nth) => copyOf(found, `Copy ${nth}`));
  expect(await batch(seven)).toMatchObject({ status: 429, body: { failedAt: 5 } });
  expect((await batch(seven.slice(0, 5))).status).toBe(200);
});

test.each(["board.create", "card.duplicate"])(
  "%s is refused before anything is copied",
  async (name) => {
    const found = await scene();
    await found.other.rest.put(`/cards/${found.card}`, { description: "x".repeat(100_000) });
    const perform = async () => copies[name]?.(found, 0);
    const isInsert = (text: string) => /insert into (cards|card_labels|comments)\b/i.test(text);
    let inserts = 0;
    for (;;) {
      const { texts, result } = await statementsOf(perform);
      inserts = texts.filter(isInsert).length;
      if (result?.status === 429) break;
      expect(inserts).toBeGreaterThan(0);
    }
    expect(inserts).toBe(0);
  },
);

test("rows count once when their transaction is retried, and not when it fails", async () => {
  const limits = createLimits(1, 1, { text: 1_000, stored: 1 });
  const copied = new CopiedRows(limits.texts);
  copied.countFor(1n);
  for (let attempt = 0; attempt < 5; attempt++) {
    copied.restart();
    await copied.add([{ bytes: 400 }]);
    await copied.add([{ bytes: 300 }]);
  }
  await expect(limits.texts.spend("1", 200)).rejects.toThrow();
  await copied.refund();
  await limits.texts.spend("1", 1_000);
});

test("the operations of a call share the limit of rows", async () => {
  const copied = new CopiedRows();
  const rows = Array.from({ length: maxCopied / 2 }, () => ({ bytes: 1 }));
  await copied.add(rows);
  await copied.add(rows);
  await expect(copied.add([{ bytes: 1 }])).rejects.toThrow("Conflict");
});
