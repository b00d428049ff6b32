import { beforeAll, describe, expect, test } from "vitest";
import { tablesOf, type AnyPart, type Part } from "../../../src/contract/fields/part.ts";
import { boardParts, parentOf } from "../../../src/contract/resources/board-parts.ts";
import { cardParts } from "../../../src/contract/resources/card-parts.ts";
import { cardParts as walked } from "../../../src/domain/parts/card.ts";
import { sql, type Sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { expectKept } from "../../support/kept.ts";
import { runDue } from "../../support/jobs.ts";
import { makeWorkspace } from "../../support/make.ts";
import { exported, fetched } from "../../transfer/exports/fetching.ts";
import { makeRich, type Rich } from "../../transfer/exports/rich.ts";
import { bring } from "../../transfer/imports/sending.ts";

/**
 * Each part of a card, and of a board, is in everything that shows, copies or moves them.
 *
 * A part that is added to a list is tested with the others: `makeRich` puts it on its full card, or
 * on its main board.
 */
const app = useApp({ isolated: true });
const parts = Object.entries<Part>(cardParts);
type Any = any;

let rich: Rich;
let title: string;
/** The full card, and what became of it, by where it is shown. */
const shown: Record<string, Any> = {};
/** The main board, and what became of it, by where it is shown. */
const boards: Record<string, Any> = {};

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

/** SQL: the rows of a table that are on a card, or on a board. */
function rowsOf(table: string, on: "cards" | "boards", id: bigint): Sql {
  const parent = parentOf(table);
  const where =
    parent.table === on
      ? sql`= ${id}`
      : sql`IN (SELECT id FROM (${rowsOf(parent.table, on, id)}) AS parents)`;
  return sql`SELECT * FROM ${sql.identifier(table)} WHERE ${sql.identifier(parent.column)} ${where}`;
}

/** The workspaces of the rows that each table has on a card, or on a board. */
async function rowsOn(id: bigint, on: "cards" | "boards" = "cards") {
  const { db } = app().deps;
  const found = new Map<string, Set<bigint>>();
  for (const [table] of tablesOf(on === "cards" ? cardParts : boardParts)) {
    const rows = await db.read<{ workspaceId: bigint }>(rowsOf(table, on, id));
    found.set(table, new Set(rows.map(({ workspaceId }) => workspaceId)));
  }
  return found;
}

const idOf = async (publicId: string, table = "cards") => {
  const [row] = await app().deps.db.read<{ id: bigint; workspaceId: bigint }>(
    sql`SELECT id, "workspaceId" FROM ${sql.identifier(table)} WHERE "publicId" = ${publicId}`,
  );
  return row ?? { id: 0n, workspaceId: 0n };
};

beforeAll(async () => {
  rich = await makeRich(app());
  const home = `/workspaces/${rich.workspace.publicId}`;
  const { full } = rich.cards;
  const { main, old } = rich.boards;
  const { plain } = rich.cards;
  await post(`/cards/${plain}/relations`, { kind: "blocks", relatedCardPublicId: full });
  await post(`/cards/${full}/relations`, { kind: "parent", relatedCardPublicId: plain });
  const card = await get(`/cards/${full}`);
  title = card.title;
  const { id, workspaceId } = await idOf(full);
  await app().deps.db.write(sql`INSERT INTO imported_assignments
    ("workspaceId", source, "sourceId", "cardId") VALUES (${workspaceId}, 'trello', 'one', ${id})`);
  shown["card.get"] = card;
  boards["board.get"] = await get(`/boards/${main}`);
  shown["board.get"] = ofTitle(cardsOf(boards["board.get"]));
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
  boards["lines"] = lines.filter(({ boardPublicId }) => boardPublicId === main);
  const document = await exported(app(), rich.admin.token, rich.workspace.publicId);
  shown["workspace.export"] = ofTitle(document.cards);
  const { workspacePublicId } = await bring(app(), rich.admin, document);
  const again = await exported(app(), rich.admin.token, workspacePublicId);
  shown["imported"] = ofTitle(again.cards);
  const { name } = boards["board.get"];
  const ofName = (some: Any[]) => some.find((board) => board.name === name);
  boards["workspace.export"] = ofName(document.boards);
  boards["imported"] = ofName(again.boards);
  const [header = "", ...rows] = (await text(`/boards/${main}/cards.csv?archived=true`)).split(
    "\r\n",
  );
  shown["board.exportCsv"] = { header, row: rows.find((row) => row.includes(title.slice(0, 6))) };
  const all = Object.fromEntries(
    parts.flatMap(([, { copied }]) => ("by" in copied ? [[copied.by, true]] : [])),
  );
  shown["card.duplicate"] = await detail(await post(`/cards/${full}/duplicate`, all));
  const { publicId: copy } = await post(`${home}/boards`, {
    name: "Copy",
    sourceBoardPublicId: main,
    withAttachments: true,
  });
  boards["board.create from it"] = await get(`/boards/${copy}`);
  shown["board.create from it"] = await detail(ofTitle(cardsOf(boards["board.create from it"])));
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
    // A copy of one card has no relations: they are of two.
    if ("by" in part.copied) expectFields("card.duplicate", part.detail);
    if ("by" in part.copied) expectFields("card.update to another board", part.detail);
    // Copies of boards have no members and comments.
    const { onBoards, by } = { by: null, onBoards: false, ...part.copied };
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

describe.each(Object.entries<AnyPart>(boardParts))("the part %s of a board", (name, part) => {
  test("is shown by the board and by its copy, and has lines in a snapshot", () => {
    for (const place of ["board.get", "board.create from it"])
      expect(isNothing(boards[place][name]), place).toBe(false);
    const live = boards["board.get"][name].length;
    expect(boards["board.create from it"][name]).toHaveLength(live);
    const kinds = boards["lines"].map(({ kind }: Any) => kind);
    for (const kind of Object.keys(part.lines ?? {})) expect(kinds).toContain(kind);
  });

  test("is in an export, and equal in that of its import but for its ids and times", () => {
    const without = (_: string, value: Any) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? { ...value, publicId: "", createdAt: "", updatedAt: "" }
        : value;
    const stored = (place: string) => JSON.stringify(boards[place][name], without);
    expect(Object.keys(part.stored ?? {})).toEqual([name]);
    expect(boards["workspace.export"][name].length).toBeGreaterThan(0);
    expect(stored("imported")).toBe(stored("workspace.export"));
  });
});

test("the CSV has a cell for each part", () => {
  const columns = Object.values(walked).flatMap(({ csv }) => csv.columns);
  const { header, row } = shown["board.exportCsv"];
  expect(header.replace(/["\uFEFF]/g, "").split(",")).toEqual(expect.arrayContaining(columns));
  expect(row).toBeDefined();
});

test("the rows of cards say what is on them, also on copies and after imports", () =>
  expectKept(app()));

test("all rows of a card and a board move to another workspace, and are purged with them", async () => {
  const { main } = rich.boards;
  const { id, workspaceId } = await idOf(rich.cards.full);
  const board = await idOf(main, "boards");
  const before = [...(await rowsOn(id)), ...(await rowsOn(board.id, "boards"))];
  for (const [table, workspaces] of before)
    expect([table, ...workspaces]).toEqual([table, workspaceId]);
  const target = await makeWorkspace(app(), rich.admin);
  const there = { workspacePublicId: target.publicId };
  expect((await rich.admin.rest.post(`/boards/${main}/move`, there)).status).toBe(200);
  const moved = await idOf(rich.cards.full);
  expect(moved.workspaceId).not.toBe(workspaceId);
  for (const [table, workspaces] of [...(await rowsOn(id)), ...(await rowsOn(board.id, "boards"))])
    expect([table, ...workspaces]).toEqual([table, moved.workspaceId]);
  await expectKept(app());
  for (const path of [`/cards/${rich.cards.full}`, `/boards/${main}`])
    expect((await rich.admin.rest.delete(path)).status).toBe(200);
  app().advance((app().deps.config.TRASH_DAYS + 1) * 24 * 60 * 60_000);
  await runDue(app().deps);
  await expectKept(app(), true);
  expect((await idOf(rich.cards.full)).id).toBe(0n);
  for (const [table, workspaces] of await rowsOn(id))
    expect([table, workspaces.size]).toEqual([table, 0]);
  expect((await idOf(main, "boards")).id).toBe(0n);
  for (const [table, workspaces] of await rowsOn(board.id, "boards"))
    expect([table, workspaces.size]).toEqual([table, 0]);
});
