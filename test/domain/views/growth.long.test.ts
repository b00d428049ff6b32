import { beforeAll, expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { makeWorkspace, type Workspace } from "../../support/make.ts";
import { useRowsRead } from "../../support/rows-read.ts";

const app = useApp({ isolated: true });
const rowsRead = useRowsRead("cards");
const [boards, cardsPerBoard] = [40, 1_250];
let workspace: Workspace;

/** 50,000 cards on 40 boards of a workspace; their dates are in no order of the boards. */
beforeAll(async () => {
  workspace = await makeWorkspace(app());
  await app().db.write(sql`WITH made AS (
      INSERT INTO boards ("publicId", "workspaceId", name, slug)
      SELECT 'viewboard' || lpad(n::text, 3, '0'), w.id, 'Board ' || n, 'view-board-' || n
      FROM workspaces w, generate_series(1, ${boards}::int) AS n
      WHERE w."publicId" = ${workspace.publicId} RETURNING id, "workspaceId", "publicId"),
    list AS (
      INSERT INTO lists ("publicId", "workspaceId", "boardId", name, position)
      SELECT "publicId" || 'l', "workspaceId", id, 'List', 1 FROM made RETURNING *)
    INSERT INTO cards ("publicId", "workspaceId", "boardId", "listId", number, title, position,
      "dueDate", priority)
    SELECT "publicId" || 'c' || n, "workspaceId", "boardId", id, row_number() OVER (),
      CASE WHEN n % 500 = 0 THEN 'Rare' ELSE 'Card' END, n,
      CASE WHEN n % 10 > 0 THEN timestamptz '2026-01-01' + ((n * 7919 + id * 104729) % 50000)
        * interval '1 minute' END,
      (ARRAY['none', 'low', 'medium', 'high'])[1 + n % 4]::"CardPriority"
    FROM list, generate_series(1, ${cardsPerBoard}::int) AS n`);
  await app().db.write(sql`ANALYZE`);
});

const save = async (body: object) => {
  const path = `/workspaces/${workspace.publicId}/views`;
  return (await workspace.admin.rest.post(path, { name: "View", ...body })).body.publicId;
};

/** All that the pages of a view have, by their ids. */
async function pagesOf(view: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  let cursor = "";
  for (;;) {
    const { rest } = workspace.admin;
    const { status, body } = await rest.get(`/views/${view}/cards?limit=${limit}${cursor}`);
    expect(status).toBe(200);
    found.push(...body.items.map(({ publicId }: { publicId: string }) => publicId));
    if (body.nextCursor === null) return found;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
}

const rare = { field: "title", op: "is", value: "Rare" };
const byDate = sql`c."dueDate" NULLS LAST, c.id`;

test.each([
  ["due dates", [{ field: "dueDate" }], byDate],
  [
    "priority and due dates",
    [{ field: "priority", order: "desc" }, { field: "dueDate" }],
    sql`c.priority DESC, ${byDate}`,
  ],
  ["the position", null, sql`c.position, c.id`],
])(
  "the pages by %s of few cards among many are those of all, in order",
  async (_, sortBy, order) => {
    const rows = await app().db.read<{ publicId: string }>(
      sql`SELECT c."publicId" FROM cards c WHERE c.title = 'Rare' ORDER BY ${order}`,
    );
    const view = await save({ sortBy, filter: rare });
    expect(rows.length).toBe(2 * boards);
    expect(await pagesOf(view, 50)).toEqual(rows.map(({ publicId }) => publicId));
  },
);

/** What reads no more than so many cards for a page; 50,000 are there. */
const maxRows = 20_000;

test.each<[string, object]>([
  ["in the usual order", {}],
  ["by due dates", { sortBy: [{ field: "dueDate" }] }],
  ["by priority", { sortBy: [{ field: "priority", order: "desc" }] }],
  [
    "with a filter that many pass",
    { sortBy: [{ field: "updatedAt" }], filter: { field: "priority", op: "is", value: "high" } },
  ],
])("the first page %s reads a bounded number of rows", async (_, body) => {
  const view = await save(body);
  const reads = await rowsRead(app(), () =>
    workspace.admin.rest.get(`/views/${view}/cards?limit=50`),
  );
  const most = Math.max(...reads.map(({ rows }) => rows));
  expect(most).toBeLessThanOrEqual(maxRows);
  const all = await pagesOf(await save({ ...body, boards: ["viewboard001", "viewboard002"] }), 100);
  expect(new Set(all).size).toBe(all.length);
});

test("few cards among many are counted, each read once and then with its list", async () => {
  const filter = { field: "text", op: "contains", value: "rare" };
  const view = await save({ groupBy: { field: "priority" }, filter });
  const reads = await rowsRead(app(), async () => {
    const { body } = await workspace.admin.rest.get(`/views/${view}/groups`);
    expect(body).toMatchObject({ total: 2 * boards, isExact: true });
  });
  const all = boards * cardsPerBoard;
  expect(Math.max(...reads.map(({ rows }) => rows))).toBeLessThanOrEqual(all + 1_000);
});

test("the groups of many cards are counted up to a bound", async () => {
  const view = await save({ groupBy: { field: "priority" } });
  let body: any;
  const reads = await rowsRead(app(), async () => {
    ({ body } = await workspace.admin.rest.get(`/views/${view}/groups`));
  });
  expect(body).toMatchObject({ isExact: false, total: 10_000 });
  const sum = body.groups.reduce((total: number, { count }: { count: number }) => total + count, 0);
  expect(sum).toBe(body.total);
  expect(Math.max(...reads.map(({ rows }) => rows))).toBeLessThanOrEqual(7 * 10_000);
});
