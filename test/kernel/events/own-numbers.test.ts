import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { follow } from "../../support/feed.ts";
import { makeBoard, makeCard, makeUser, makeWorkspace } from "../../support/make.ts";

const app = useApp();

/** Writes in a new workspace, with other calls between; returns what its feed shows of order. */
async function ordersOf(between: () => Promise<unknown>) {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  await between();
  const { lists } = await makeBoard(workspace);
  for (const title of ["A", "B", "C"]) {
    await between();
    await makeCard(admin, lists[0] ?? "", title);
  }
  const { items } = await follow(admin, publicId);
  return items.map(({ type, order }: any) => [type, order]);
}

test("the numbers that a feed shows do not count the writes of other tenants", async () => {
  const alone = await ordersOf(() => Promise.resolve());
  const other = await makeWorkspace(app());
  const beside = await ordersOf(async () => {
    await makeUser(app());
    const { lists } = await makeBoard(other);
    await makeCard(other.admin, lists[0] ?? "");
  });
  expect(alone.length).toBeGreaterThan(3);
  expect(beside).toEqual(alone);
});
