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
  return { rest: workspace.admin.rest, board, list, other };
}

test("a write counts as one more call for each 100 events", async () => {
  const { rest, list, other } = await scene(350);
  const first = await rest.post(`/lists/${list}/move-cards`, { targetListPublicId: other });
  expect(first).toMatchObject({ status: 200, body: { moved: 350 } });
  const second = await rest.get("/users/me");
  expect(leftIn(second.headers)).toBe(leftIn(first.headers) - 1 - 3);
});

test("one call changes at most 10,000 labels of cards", async () => {
  const { rest, board } = await scene(201);
  const path = `/boards/${board.publicId}/cards/bulk`;
  const reply = await rest.post(path, { filter: {}, set: { addLabelPublicIds: board.labels } });
  expect(reply).toMatchObject({ status: 409, body: { issues: [{ code: "limit_exceeded" }] } });
  const { body } = await rest.get(`/boards/${board.publicId}`);
  expect(body.lists[0].cards[0].labels).toEqual([]);
});
