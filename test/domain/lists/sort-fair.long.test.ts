import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeWorkspace } from "../../support/make.ts";
import { fill } from "../../transfer/exports/many.ts";

const app = useApp();

test.each([false, true])(
  "sorts in batches delay others, but do not stop them (dryRun: %s)",
  async (dryRun) => {
    const workspace = await makeWorkspace(app());
    const [listPublicId = ""] = (await makeBoard(workspace)).lists;
    await fill(app(), listPublicId, { cards: 3_500 });
    const [sorter, writer] = [
      await join(app(), workspace, "member"),
      await join(app(), workspace, "member"),
    ];
    const operations = Array.from({ length: 22 }, (_, nth) => ({
      operation: "list.sort",
      input: { listPublicId, by: "title", order: nth % 2 === 0 ? "desc" : "asc" },
    }));
    const created: number[] = [];
    const batches: number[] = [];
    const write = async () => {
      while (created.length < 10 || batches.length < 4) {
        created.push((await writer.rest.post("/cards", { title: "New", listPublicId })).status);
      }
    };
    const sort = async () => {
      while (created.length < 10 || batches.length < 4) {
        const path = `/workspaces/${workspace.publicId}/batch`;
        batches.push((await sorter.rest.post(path, { operations, dryRun })).status);
      }
    };
    await Promise.all([write(), sort()]);
    expect(new Set(created.filter((status) => status !== 429))).toEqual(new Set([200]));
    // It is refused before it holds the list for as long as others wait.
    expect(batches.filter((status) => status === 409 || status === 503).length).toBeGreaterThan(0);
  },
);

test("a dry run counts as much as the real one", async () => {
  const workspace = await makeWorkspace(app());
  const [listPublicId = ""] = (await makeBoard(workspace)).lists;
  await fill(app(), listPublicId, { cards: 3_500 });
  const left = async (dryRun: boolean) => {
    const { rest } = await join(app(), workspace, "member");
    const remaining = async () =>
      Number(/r=(\d+)/.exec((await rest.get("/users/me")).headers.get("RateLimit") ?? "")?.[1]);
    const before = await remaining();
    const input = { listPublicId, by: "title", order: "desc" };
    const path = `/workspaces/${workspace.publicId}/batch`;
    const reply = await rest.post(path, {
      operations: [{ operation: "list.sort", input }],
      dryRun,
    });
    expect(reply.status).toBe(200);
    return before - (await remaining());
  };
  const dry = await left(true);
  expect(dry).toBeGreaterThan(10);
  expect(await left(false)).toBe(dry);
});
