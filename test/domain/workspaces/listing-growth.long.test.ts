import { readFile } from "node:fs/promises";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { makeOperator } from "../../support/operator.ts";
import { useRowsRead } from "../../support/rows-read.ts";
import { fill } from "../../transfer/exports/many.ts";
import { spread } from "./spread-cards.ts";

type Parameter = { name: string; schema?: { enum?: string[]; $ref?: string } };
type Listing = { name: string; path: string; parameters: Parameter[] };
const document = JSON.parse(
  await readFile(new URL("../../contract/openapi.json", import.meta.url), "utf8"),
);
/** Every read of the document that is paged with a cursor. */
const listings = Object.entries<Record<string, any>>(document.paths).flatMap(
  ([path, { get }]): Listing[] =>
    get?.parameters?.some(({ name }: Parameter) => name === "cursor") === true
      ? [{ name: get.operationId, path, parameters: get.parameters }]
      : [],
);

/** A log that goes on has its own tests; a report exists only after an import. */
const excepted = new Set([
  "workspace.events",
  "workspace.stream",
  "user.stream",
  "import.get",
  "import.people",
]);
const app = useApp({ isolated: true });
const rowsRead = useRowsRead();
const cards = Number(process.env["LISTING_CARDS"] ?? 5_000);
const few = 250;
/** No page reads more rows than a search ranks; a scan of all cards does. */
const maxRows = 3_000;
/** A page with a filter may test all cards of the two lists, and reads those again that it shows. */
const mostFiltered = 4 * cards;

type Ids = Record<string, string>;

/** A workspace with so many cards and events in each list, deleted cards and notifications. */
async function workspaceOf(count: number) {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  await makeOperator(app(), workspace.admin.publicId);
  // Where it is morning: the cards are due in the next hours, and so today.
  const timeZone = new Date().getUTCHours() < 12 ? "UTC" : "Pacific/Pago_Pago";
  expect((await rest.put("/users/me", { timeZone })).status).toBe(200);
  const board = await makeBoard(workspace, { lists: ["One", "Two"], labels: 2 });
  for (const list of board.lists) {
    for (let left = count; left > 0; left -= 5_000) {
      await fill(app(), list, { cards: Math.min(left, 5_000), comments: 1, items: 1, events: 1 });
      await app().db.write(sql`ANALYZE`);
    }
  }
  const card = await makeCard(workspace.admin, board.lists[0] ?? "");
  for (let nth = 0; nth < 60; nth++)
    await rest.post(`/cards/${card}/comments`, { comment: `Comment ${nth}` });
  const items = Array.from({ length: 60 }, (_, nth) => `Item ${nth}`);
  const { body: checklist } = await rest.post(`/cards/${card}/checklists`, { name: "All", items });
  await spread(app(), board.publicId, workspace.admin.publicId);
  const { body: hook } = await rest.post(`/workspaces/${workspace.publicId}/webhooks`, {
    name: "Hook",
    url: "https://93.184.215.14/",
    events: ["card.*"],
  });
  const { body: view } = await rest.post(`/workspaces/${workspace.publicId}/views`, {
    name: "All that is not done",
    filter: { field: "isComplete", op: "is", value: false },
    sortBy: [{ field: "dueDate" }],
  });
  const { body: seen } = await rest.get(`/workspaces/${workspace.publicId}`);
  const member = String(seen.memberPublicId);
  return {
    rest,
    filters: [
      ...board.labels.map((label) => `labels=${label}&`),
      `members=${member}&`,
      `lists=${board.lists[1]}&`,
      "due=today&",
      "due=none&",
    ],
    ids: {
      workspacePublicId: workspace.publicId,
      boardPublicId: board.publicId,
      viewPublicId: view.publicId,
      listPublicId: board.lists[0] ?? "",
      cardPublicId: card,
      checklistPublicId: checklist.publicId,
      webhookPublicId: hook.webhook?.publicId ?? hook.publicId,
    } as Ids,
  };
}

let small: Awaited<ReturnType<typeof workspaceOf>>;
let large: Awaited<ReturnType<typeof workspaceOf>>;
beforeAll(async () => {
  small = await workspaceOf(few);
  large = await workspaceOf(cards);
  const client = new pg.Client(app().url);
  await client.connect();
  await client.query("VACUUM (ANALYZE)");
  await client.end();
}, 3_600_000);

/** The queries of a listing: in each of its orders, without a filter and with each. */
function queriesOf({ name, parameters }: Listing, filters: string[]): string[] {
  if (name === "workspace.search") return ["query=card&"];
  if (name === "user.cards") return ["", "due=today&", "due=overdue&", "due=none&"];
  const { schema = {} } = parameters.find((one) => one.name === "sort") ?? {};
  const named = schema.$ref?.split("/").at(-1) ?? "";
  const orders: string[] = schema.enum ?? document.components.schemas[named]?.enum ?? [];
  const sorts = ["", ...orders.map((order) => `sort=${order}&`)];
  if (name !== "board.cards") return sorts;
  return ["", ...filters].flatMap((filter) => sorts.map((sort) => `${filter}${sort}`));
}

/** How many rows the first or the second page reads, of tables and of indexes alone. */
async function rowsOf({ rest, ids }: typeof small, path: string, query: string) {
  const url = path.replace(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? "unknown12345");
  const most = { rows: 0, indexRows: 0 };
  let cursor = "";
  for (let page = 0; page < 2; page++) {
    const reads = await rowsRead(app(), async () => {
      const { status, body } = await rest.get(`${url}?${query}limit=20${cursor}`);
      expect([path, status]).toEqual([path, 200]);
      cursor = body.nextCursor === null ? "" : `&cursor=${encodeURIComponent(body.nextCursor)}`;
    });
    const sum = (one: "rows" | "indexRows") => reads.reduce((total, read) => total + read[one], 0);
    most.rows = Math.max(most.rows, sum("rows"));
    most.indexRows = Math.max(most.indexRows, sum("indexRows"));
  }
  return most;
}

/** The rows of indexes that the page itself reads, beside those of a filter. */
const ofPage = 100;

test("a page reads as many rows, however many cards a board has", async () => {
  const growing: unknown[] = [];
  for (const listing of listings.filter(({ name }) => !excepted.has(name))) {
    const ofSmallBoard = queriesOf(listing, small.filters);
    for (const [nth, query] of queriesOf(listing, large.filters).entries()) {
      const name = `${listing.name}?${query}`;
      const ofSmall = await rowsOf(small, listing.path, ofSmallBoard[nth] ?? "");
      const ofLarge = await rowsOf(large, listing.path, query);
      const isFiltered = large.filters.some((filter) => query.startsWith(filter));
      const bound = isFiltered ? mostFiltered : Math.min(3 * ofSmall.rows, maxRows);
      const isSmall = ofLarge.rows <= bound && ofLarge.indexRows <= 2 * cards + ofPage;
      if (!isSmall) growing.push([name, ofSmall, ofLarge]);
    }
  }
  expect(growing).toEqual([]);
});
