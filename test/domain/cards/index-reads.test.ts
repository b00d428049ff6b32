import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { useRowsRead } from "../../support/rows-read.ts";
import { fill } from "../../transfer/exports/many.ts";

const app = useApp({ isolated: true });
const rowsRead = useRowsRead();

let rest: Awaited<ReturnType<typeof makeWorkspace>>["admin"]["rest"];
let long = "";
let short = "";
let first: string[] = [];
/** One long list among many short ones: by its statistics, PostgreSQL expects a short one. */
beforeAll(async () => {
  const workspace = await makeWorkspace(app());
  ({ rest } = workspace.admin);
  const names = Array.from({ length: 50 }, (_, nth) => `List ${nth}`);
  const { lists } = await makeBoard(workspace, { lists: names });
  for (const list of lists) await fill(app(), list, { cards: list === lists[0] ? 2_000 : 2 });
  const client = new pg.Client(app().url);
  await client.connect();
  await client.query("ANALYZE cards");
  await client.end();
  [long = "", short = ""] = lists;
  const { body } = await rest.get(`/lists/${long}/cards?limit=8`);
  first = body.items.map(({ publicId }: { publicId: string }) => publicId);
});

/** Without anything on it, the state of a new card is not read. */
const card = { title: "A", checklists: [{ name: "Steps" }] };
const [second, last] = [1, 7];
const calls: [name: string, run: () => ReturnType<typeof rest.get>][] = [
  ["read", () => rest.get(`/cards/${first[last]}`)],
  ["renamed", () => rest.put(`/cards/${first[last]}`, { title: "Other" })],
  ["moved to an index", () => rest.put(`/cards/${first[last]}`, { index: 2 })],
  [
    "moved beside another",
    () => rest.put(`/cards/${first[last]}`, { beforeCardPublicId: first[second] }),
  ],
  ["moved to a far index", () => rest.put(`/cards/${first[last]}`, { index: 1_500 })],
  ["moved to another list", () => rest.put(`/cards/${first[0]}`, { listPublicId: short })],
  ["moved to its end", () => rest.put(`/cards/${first[0]}`, { listPublicId: long })],
  ["created at an index", () => rest.post("/cards", { ...card, listPublicId: long, index: 3 })],
  ["created at its end", () => rest.post("/cards", { ...card, listPublicId: long })],
];

test.each(calls)("a card of a long list is %s without reading the others", async (_, run) => {
  const reads = await rowsRead(app(), async () => expect((await run()).status).toBe(200));
  expect(reads.length).toBeGreaterThan(0);
  expect(reads.filter(({ rows }) => rows > 200)).toEqual([]);
});
