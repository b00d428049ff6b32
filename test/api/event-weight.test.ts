import { expect, test } from "vitest";
import { useApp, type Reply } from "../support/app.ts";
import { makeBoard, makeWorkspace } from "../support/make.ts";
import { fill } from "../transfer/exports/many.ts";

const app = useApp({ env: { RATE_LIMIT: "150" } });

const leftIn = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1]);

async function scene(cards: number) {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace, { labels: 50 });
  const [list = "", other = ""] = board.lists;
  await fill(app(), list, { cards });
  const { publicId: workspacePublicId, admin } = workspace;
  const elsewhere = await makeWorkspace(app(), admin);
  const target = { workspacePublicId: elsewhere.publicId };
  const { rest, token } = admin;
  return { rest, token, board, list, other, workspacePublicId, target };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const secondsIn = (headers: Headers) => Number(/t=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1]);

/** How many calls a write counts for, measured within one window of the limit. */
async function costOf(cards: number, write: (scene: Scene) => Promise<Reply>) {
  for (;;) {
    const found = await scene(cards);
    const before = await found.rest.get("/users/me");
    const { status } = await write(found);
    const next = await found.rest.get("/users/me");
    const cost = leftIn(before.headers) - leftIn(next.headers) - 1;
    if (cost > 0 && secondsIn(next.headers) <= secondsIn(before.headers)) return { status, cost };
  }
}

test("a write counts as one more call for each 100 events", async () => {
  const { status, cost } = await costOf(350, ({ rest, list, other }) =>
    rest.post(`/lists/${list}/move-cards`, { targetListPublicId: other }),
  );
  expect({ status, cost }).toEqual({ status: 200, cost: 1 + 3 });
});

test("the RateLimit of a batch counts its operations, over both APIs", async () => {
  const { rest, token, list, workspacePublicId } = await scene(0);
  const operation = { operation: "list.update", input: { listPublicId: list, name: "Same" } };
  const operations = Array.from({ length: 7 }, () => operation);
  const batch = [
    () => rest.post(`/workspaces/${workspacePublicId}/batch`, { operations }),
    () =>
      app().call({
        method: "POST",
        path: "/trpc/workspace.batch",
        body: { workspacePublicId, operations },
        token,
      }),
  ];
  for (const send of batch) {
    const before = await rest.get("/users/me");
    const { status, headers } = await send();
    const isSameWindow = secondsIn(headers) <= secondsIn(before.headers);
    expect(status).toBe(200);
    if (isSameWindow) expect(leftIn(before.headers) - leftIn(headers)).toBe(7);
  }
});

const writes: Record<string, (scene: Scene) => Promise<Reply>> = {
  "list.sort": ({ rest, list }) => rest.post(`/lists/${list}/sort`, { by: "title", order: "desc" }),
  "board.move": ({ rest, board, target }) => rest.post(`/boards/${board.publicId}/move`, target),
  "board.create": ({ rest, board, workspacePublicId }) =>
    rest.post(`/workspaces/${workspacePublicId}/boards`, {
      name: "Copy",
      sourceBoardPublicId: board.publicId,
    }),
};

test.each(Object.keys(writes))("%s counts for each 100 rows that it writes", async (name) => {
  const { status, cost } = await costOf(350, (found) => writes[name]?.(found) ?? expect.fail());
  expect(status).toBe(200);
  expect(cost).toBeGreaterThanOrEqual(1 + 3);
});

test("a write that fails after it has written counts for its rows", async () => {
  const { status, cost } = await costOf(201, ({ rest, board }) =>
    rest.post(`/boards/${board.publicId}/cards/bulk`, {
      filter: {},
      set: { addLabelPublicIds: board.labels },
    }),
  );
  expect(status).toBe(409);
  expect(cost).toBeGreaterThanOrEqual(201 / 5 + (201 * 50) / 100);
});

test("one call changes at most 10,000 labels of cards", async () => {
  const { rest, board } = await scene(201);
  const path = `/boards/${board.publicId}/cards/bulk`;
  const reply = await rest.post(path, { filter: {}, set: { addLabelPublicIds: board.labels } });
  expect(reply).toMatchObject({ status: 409, body: { issues: [{ code: "limit_exceeded" }] } });
  const { body } = await rest.get(`/boards/${board.publicId}`);
  expect(body.lists[0].cards[0].labels).toEqual([]);
});
