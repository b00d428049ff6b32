import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeWorkspace } from "../../support/make.ts";
import { fill } from "../../transfer/exports/many.ts";
import { findEvents } from "../../support/events.ts";

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

test("others add cards to a list of 10,000 while it is sorted, and find them in order", async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const [listPublicId = ""] = board.lists;
  await fill(app(), listPublicId, { cards: 10_000 });
  const { rest } = await join(app(), workspace, "member");
  let sortMs: number | undefined;
  const sort = async () => {
    const start = performance.now();
    const reply = await rest.post(`/lists/${listPublicId}/sort`, { by: "title", order: "desc" });
    expect(reply.status).toBe(200);
    sortMs = performance.now() - start;
  };
  let longestMs = 0;
  const create = async () => {
    for (let nth = 0; sortMs === undefined; nth++) {
      const start = performance.now();
      const place = { index: nth % 2 === 0 ? 0 : 500, title: `Card ${(nth * 991) % 12_000}.5` };
      const reply = await workspace.admin.rest.post("/cards", { ...place, listPublicId });
      expect(reply.status).toBe(200);
      longestMs = Math.max(longestMs, performance.now() - start);
    }
  };
  await Promise.all([sort(), create()]);
  expect(longestMs).toBeLessThan((sortMs ?? 0) * 0.7);

  // The log is in the order of commits.
  const events = await findEvents(app(), {
    where: { type: { in: ["card.created", "list.sorted"] }, boardPublicId: board.publicId },
    orderBy: { number: "asc" },
  });
  const end = events.findIndex(({ type }) => type === "list.sorted");
  const late = events.slice(end + 1).map(({ cardPublicId }) => cardPublicId ?? "");
  const titles = (
    await app().db.reader.card.findMany({
      where: { list: { publicId: listPublicId }, publicId: { notIn: late } },
      orderBy: { position: "asc" },
    })
  ).map(({ title }) => title);
  expect(titles).toHaveLength(10_000 + end);
  const { compare } = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  expect(titles).toEqual(titles.toSorted((one, other) => compare(other, one)));
  expect(end).toBeGreaterThan(0);
  const [took, longest] = [sortMs ?? 0, longestMs].map(Math.round);
  process.stdout.write(
    `A sort of 10,000 cards took ${took} ms; ${end} were added meanwhile, in ${longest} ms at most.\n`,
  );
});
