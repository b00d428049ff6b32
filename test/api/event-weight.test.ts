import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
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
  return { rest: admin.rest, board, list, other, workspacePublicId, target };
}
type Scene = Awaited<ReturnType<typeof scene>>;

test("a write counts as one more call for each 100 events", async () => {
  const { rest, list, other } = await scene(350);
  const first = await rest.post(`/lists/${list}/move-cards`, { targetListPublicId: other });
  expect(first).toMatchObject({ status: 200, body: { moved: 350 } });
  const second = await rest.get("/users/me");
  expect(leftIn(second.headers)).toBe(leftIn(first.headers) - 1 - 3);
});

test.each([
  ["list.sort", ({ list }: Scene) => [`/lists/${list}/sort`, { by: "title", order: "desc" }]],
  ["board.move", ({ board, target }: Scene) => [`/boards/${board.publicId}/move`, target]],
  [
    "board.create",
    ({ board, workspacePublicId }: Scene) => [
      `/workspaces/${workspacePublicId}/boards`,
      { name: "Copy", sourceBoardPublicId: board.publicId },
    ],
  ],
] as [string, (scene: Scene) => [string, object]][])(
  "%s counts as one more call for each 100 rows that it writes",
  async (_, callOf) => {
    const found = await scene(350);
    const [path, body] = callOf(found);
    const first = await found.rest.post(path, body);
    expect(first.status).toBe(200);
    const second = await found.rest.get("/users/me");
    expect(leftIn(second.headers)).toBeLessThanOrEqual(leftIn(first.headers) - 1 - 3);
  },
);

test("a write that fails after it has written counts for its rows", async () => {
  const { rest, board } = await scene(201);
  const path = `/boards/${board.publicId}/cards/bulk`;
  const first = await rest.post(path, { filter: {}, set: { addLabelPublicIds: board.labels } });
  expect(first.status).toBe(409);
  const second = await rest.get("/users/me");
  const cards = 201 / 5;
  const labels = (201 * 50) / 100;
  expect(leftIn(second.headers)).toBeLessThan(leftIn(first.headers) - cards - labels + 2);
});

test("one call changes at most 10,000 labels of cards", async () => {
  const { rest, board } = await scene(201);
  const path = `/boards/${board.publicId}/cards/bulk`;
  const reply = await rest.post(path, { filter: {}, set: { addLabelPublicIds: board.labels } });
  expect(reply).toMatchObject({ status: 409, body: { issues: [{ code: "limit_exceeded" }] } });
  const { body } = await rest.get(`/boards/${board.publicId}`);
  expect(body.lists[0].cards[0].labels).toEqual([]);
});
