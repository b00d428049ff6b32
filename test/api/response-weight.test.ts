import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeBoard, makeUser, makeWorkspace } from "../support/make.ts";
import { fill } from "../transfer/exports/many.ts";

const app = useApp({ env: { RATE_LIMIT: "50" } });

/** The calls that are left, as a header of the last answer says. */
const leftIn = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1]);

async function scene() {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const [list = ""] = board.lists;
  await fill(app(), list, { cards: 350 });
  const other = await makeUser(app());
  return { rest: workspace.admin.rest, path: `/boards/${board.publicId}`, other };
}

test("over REST and tRPC, an answer counts as one more call for each 100 kB", async () => {
  const { rest, path, other } = await scene();
  const first = await rest.get(path);
  const extra = Math.floor(JSON.stringify(first.body).length / 100_000);
  expect(extra).toBe(1);
  const second = await rest.get("/users/me");
  expect(leftIn(second.headers)).toBe(leftIn(first.headers) - 1 - extra);
  const third = await other.rest.get("/users/me");
  expect(leftIn(third.headers)).toBe(49);
});

test("large answers reach the limit before small ones", async () => {
  const { rest, path } = await scene();
  const statuses: number[] = [];
  for (let call = 0; call < 30; call++) statuses.push((await rest.get(path)).status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
});
