import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { useRowsRead } from "../../support/rows-read.ts";
import { fill } from "../../transfer/exports/many.ts";

const app = useApp({ isolated: true });
const rowsRead = useRowsRead("events");
const most = 100_000;

test("a filter reads a part of a long log, and later pages read on", async () => {
  const workspace = await makeWorkspace(app());
  const { lists } = await makeBoard(workspace);
  await fill(app(), lists[0] ?? "", { cards: 1_100, events: 100 });
  const pageOf = async (query: string) => {
    let page: { items: { type: string }[]; nextCursor: string | null } | undefined;
    const reads = await rowsRead(app(), async () => {
      const path = `/workspaces/${workspace.publicId}/audit?${query}`;
      const { status, body } = await workspace.admin.rest.get(path);
      expect(status).toBe(200);
      page = body;
    });
    for (const { rows, indexRows } of reads) expect(rows + indexRows).toBeLessThan(most + 10);
    return page;
  };
  const first = await pageOf("type=board.created");
  expect(first).toEqual({ items: [], nextCursor: expect.any(String) });
  const cursor = encodeURIComponent(first?.nextCursor ?? "");
  const second = await pageOf(`type=board.created&cursor=${cursor}`);
  expect(second).toMatchObject({ items: [{ type: "board.created" }], nextCursor: null });
  const later = new Date(app().deps.clock().getTime() + 3 * 24 * 60 * 60_000).toISOString();
  expect(await pageOf(`since=${later}`)).toEqual({ items: [], nextCursor: null });
  const all = await pageOf("limit=20");
  expect(all).toMatchObject({ nextCursor: expect.any(String) });
  expect(all?.items).toHaveLength(20);
});
