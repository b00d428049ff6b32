import { beforeAll, describe, expect, test } from "vitest";
import { tablesOf, type Part } from "../../../src/contract/fields/part.ts";
import { cardParts } from "../../../src/contract/resources/card-parts.ts";
import { cardParts as walked } from "../../../src/domain/parts/card.ts";
import { sql, type Sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { runDue } from "../../support/jobs.ts";
import { makeWorkspace } from "../../support/make.ts";
import { exported, fetched } from "../../transfer/exports/fetching.ts";
import { makeRich, type Rich } from "../../transfer/exports/rich.ts";
import { bring } from "../../transfer/imports/sending.ts";

/**
 * Each part of a card is in everything that shows, copies or moves cards.
 *
 * A part that is added to the list is tested with the others: `makeRich` puts it on its full card.
 */
const app = useApp({ isolated: true });
const parts = Object.entries<Part>(cardParts);
type Any = any;

let rich: Rich;
let title: string;
/** The full card, and what became of it, by where it is shown. */
const shown: Record<string, Any> = {};

/** Whether a value says that nothing is there. */
const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === 0 ||
  value === "" ||
  (typeof value === "object" && Object.values(value).every(isNothing));

const get = async (path: string): Promise<Any> => (await rich.admin.rest.get(path)).body;
const post = async (path: string, body: object): Promise<Any> =>
  (await rich.admin.rest.post(path, body)).body;
const ofTitle = (cards: Any[]) => cards.find((card) => card.title === title);
const cardsOf = (board: Any) => board.lists.flatMap((list: Any) => list.cards);
const detail = async (card: Any) => get(`/cards/${card.publicId}`);
const text = async (path: string) => (await fetched(app(), rich.admin.token, path)).text;
/** Makes a board public, and shows it without its ids. */
async function publish(publicId: string) {
  const { rest } = rich.admin;
  const { body } = await rest.put(`/boards/${publicId}`, { visibility: "public" });
  const path = `/workspaces-by-slug/${rich.workspace.slug}/boards/${body.slug}`;
  const response = await app().fetch(new Request(`http://service/api/v1${path}`));
  return (await response.json()) as Any;
}

/** SQL: the rows of a table that are on a card. */
function onCard(table: string, cardId: bigint): Sql {
  const parent = new Map(parts.flatMap(([, { tables }]) => Object.entries(tables))).get(
    table,
  )?.parent;
  const where =
    parent === undefined
      ? sql`"cardId" = ${cardId}`
      : sql`${sql.identifier(parent.column)} IN (
          SELECT id FROM (${onCard(parent.table, cardId)}) AS parents)`;
  return sql`SELECT * FROM ${sql.identifier(table)} WHERE ${where}`;
}

/** How many rows each table has on a card, by their workspace. */
async function rowsOn(cardId: bigint) {
  const { db } = app().deps;
  const found = new Map<string, Set<bigint>>();
  for (const [table] of tablesOf(cardParts)) {
    const rows = await db.read<{ workspaceId: bigint }>(onCard(table, cardId));
    found.set(table, new Set(rows.map(({ workspaceId }) => workspaceId)));
  }
  return found;
}

const idOf = async (publicId: string) => {
  const [row] = await app().deps.db.read<{ id: bigint; workspaceId: bigint }>(
    sql`SELECT id, "workspaceId" FROM cards WHERE "publicId" = ${publicId}`,
  );
  return row ?? { id: 0n, workspaceId: 0n };
};

beforeAll(async () => {
  rich = await makeRich(app());
  const home = `/workspaces/${rich.workspace.publicId}`;
  const { full } = rich.cards;
  const { main, old } = rich.boards;
  const card = await get(`/cards/${full}`);
  title = card.title;
  const { id, workspaceId } = await idOf(full);
  await app().deps.db.write(sql`INSERT INTO imported_assignments
    ("workspaceId", source, "sourceId", "cardId") VALUES (${workspaceId}, 'trello', 'one', ${id})`);
  shown["card.get"] = card;
  shown["board.get"] = ofTitle(cardsOf(await get(`/boards/${main}`)));
  shown["board.get with cardLimit"] = ofTitle(cardsOf(await get(`/boards/${main}?cardLimit=1`)));
  shown["board.cards"] = ofTitle((await get(`/boards/${main}/cards`)).items);
  const { items: events } = await get(`${home}/events?limit=100`);
  shown["an event"] = events.findLast(({ data }: Any) => data.card?.publicId === full).data.card;
  const switches = parts.map(([name, { selected }]) => (selected ? `${name}=true` : ""));
  const snapshot = await text(`${home}/snapshot?${switches.filter(Boolean).join("&")}`);
  const lines = snapshot
    .trim()
    .split("\n")
    .map((line): Any => JSON.parse(line));
  shown["workspace.snapshot"] = lines.find(({ publicId }) => publicId === full);
  shown["lines"] = lines.filter(({ cardPublicId }) => cardPublicId === full);
  const document = await exported(app(), rich.admin.token, rich.workspace.publicId);
  shown["workspace.export"] = ofTitle(document.cards);
  const { workspacePublicId } = await bring(app(), rich.admin, document);
  shown["imported"] = ofTitle((await exported(app(), rich.admin.token, workspacePublicId)).cards);
  const [header = "", ...rows] = (await text(`/boards/${main}/cards.csv?archived=true`)).split(
    "\r\n",
  );
  shown["board.exportCsv"] = { header, row: rows.find((row) => row.includes(title.slice(0, 6))) };
  const all = Object.fromEntries(parts.map(([, { copied }]) => [copied.by, true]));
  shown["card.duplicate"] = await detail(await post(`/cards/${full}/duplicate`, all));
  const { publicId: copy } = await post(`${home}/boards`, {
    name: "Copy",
    sourceBoardPublicId: main,
    withAttachments: true,
  });
  shown["board.create from it"] = await detail(ofTitle(cardsOf(await get(`/boards/${copy}`))));
  const { lists } = await get(`/boards/${old}`);
  const twin = await post(`/cards/${full}/duplicate`, all);
  await rich.admin.rest.put(`/cards/${twin.publicId}`, { listPublicId: lists[0].publicId });
  shown["card.update to another board"] = await detail(twin);
  shown["a public board"] = ofTitle(cardsOf(await publish(main)));
});

describe.each(parts)("the part %s", (_, part) => {
  const expectFields = (place: string, shape: object = {}) => {
    const nothing = Object.keys(shape).filter((field) => isNothing(shown[place]?.[field]));
    expect(nothing, place).toEqual([]);
  };

  test("is shown by lists of cards, events and snapshots", () => {
    const places = `board.get|board.get with cardLimit|board.cards|an event|workspace.snapshot`;
    for (const place of places.split("|")) expectFields(place, part.summary);
    const kinds = new Set(shown["lines"].map(({ kind }: Any) => kind));
    for (const kind of Object.keys(part.lines ?? {})) expect(kinds).toContain(kind);
  });

  test("is shown by a card alone, and by its copy", () => {
    expectFields("card.get", part.detail);
    expectFields("card.duplicate", part.detail);
    expectFields("card.update to another board", part.detail);
    // Copies of boards have no members and comments.
    const { onBoards, by } = part.copied;
    if (onBoards || by === "withAttachments") expectFields("board.create from it", part.detail);
  });

  test("is on a public board without ids", () => {
    expectFields("a public board", part.public);
    expect(JSON.stringify(shown["a public board"])).not.toMatch(/publicId/i);
  });

  test("is in an export, and in that of its import", () => {
    expectFields("workspace.export", part.stored);
    expectFields("imported", part.stored);
    // Members are invited by an import, and assigned when their account is there.
    for (const name of Object.keys(part.stored ?? {}).filter((one) => one !== "memberPublicIds"))
      expect(shown["imported"][name]).toHaveLength(shown["workspace.export"][name].length);
  });
});

test("the CSV has a cell for each part", () => {
  const columns = Object.values(walked).flatMap(({ csv }) => csv.columns);
  const { header, row } = shown["board.exportCsv"];
  expect(header.replace(/["\uFEFF]/g, "").split(",")).toEqual(expect.arrayContaining(columns));
  expect(row).toBeDefined();
});

test("all rows of a card move with its board to another workspace, and are purged with it", async () => {
  const { main } = rich.boards;
  const { id, workspaceId } = await idOf(rich.cards.full);
  const before = await rowsOn(id);
  for (const [table, workspaces] of before)
    expect([table, ...workspaces]).toEqual([table, workspaceId]);
  const target = await makeWorkspace(app(), rich.admin);
  const there = { workspacePublicId: target.publicId };
  expect((await rich.admin.rest.post(`/boards/${main}/move`, there)).status).toBe(200);
  const moved = await idOf(rich.cards.full);
  expect(moved.workspaceId).not.toBe(workspaceId);
  for (const [table, workspaces] of await rowsOn(id))
    expect([table, ...workspaces]).toEqual([table, moved.workspaceId]);
  expect((await rich.admin.rest.delete(`/cards/${rich.cards.full}`)).status).toBe(200);
  app().advance((app().deps.config.TRASH_DAYS + 1) * 24 * 60 * 60_000);
  await runDue(app().deps);
  expect((await idOf(rich.cards.full)).id).toBe(0n);
  for (const [table, workspaces] of await rowsOn(id))
    expect([table, workspaces.size]).toEqual([table, 0]);
});
