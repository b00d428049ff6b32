import { beforeAll, expect, test } from "vitest";
import { exported, fetched } from "../transfer/exports/fetching.ts";
import { makeRich, type Rich } from "../transfer/exports/rich.ts";
import { bring } from "../transfer/imports/sending.ts";
import { useApp } from "../support/app.ts";
import { as } from "../support/as.ts";

/**
 * What the service answers of cards, by every way that shows, copies or moves them.
 *
 * The answers are compared with recorded ones, but for ids, times of the clock and the order of
 * keys. A change that is meant is recorded with `npx vitest run … -u`: review the difference.
 */
const app = useApp({ isolated: true });
// No date of the sample is in this year.
const year = 2040;
const responses = new Map<string, unknown>();
let rich: Rich;

const ids = new Map<string, string>();
const masked: [RegExp, string][] = [
  [new RegExp(`${year}-\\d\\d-\\d\\dT[\\d:.]+Z`, "g"), "<time>"],
  [/(workspace)[ -]\d+/gi, "$1"],
  [/\bW\d+\b/g, "W"],
  [/user-\d+-[a-z0-9]+@/g, "user@"],
];
const unstable = /^(cursor|nextCursor|id|order|slug|timestamp|\w+At)$/;
const longest = 80;

/** The title of a card that is like others: it stands for the card. */
function plainTitle(value: any): string | undefined {
  const title = value?.title ?? value?.data?.card?.title;
  return /^Done [1-9]/.test(title) ? title : undefined;
}

function collect(id: unknown) {
  if (typeof id !== "string" || !/^[0-9a-z]{12}$/.test(id) || ids.has(id)) return;
  ids.set(id, `<${ids.size + 1}>`);
}

/** Values and changes of custom fields are named by the ids of the fields. */
const maskedName = (name: string) => name.replace(/[0-9a-z]{12}$/, (id) => ids.get(id) ?? id);

/** A value with sorted keys, whose ids are collected. */
function sorted(value: unknown, key = ""): unknown {
  const title = plainTitle(value);
  if (title !== undefined) return title;
  if (Array.isArray(value)) return value.map((one) => sorted(one, key));
  if (typeof value === "string" && /publicIds?$/i.test(key)) {
    collect(value);
  }
  if (typeof value === "string" && unstable.test(key)) return "<masked>";
  if (typeof value === "string" && value.length > longest && !value.startsWith('"')) {
    return `${value.slice(0, longest)}… ${value.length}`;
  }
  if (typeof value !== "object" || value === null) return value;
  // Stored events have these keys in any order: ids that are known come first.
  const byKnown = ([one]: [string, unknown], [other]: [string, unknown]) =>
    Number(ids.has(other)) - Number(ids.has(one));
  if (key === "fields")
    for (const id of Object.entries(value).toSorted(byKnown).flat(2)) collect(id);
  const entries = Object.entries(value).toSorted(([one], [other]) =>
    maskedName(one) < maskedName(other) ? -1 : 1,
  );
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one, name)]));
}

function print(name: string, response: unknown): string {
  const value = sorted(response);
  const lines = Array.isArray(value) ? value.map((one) => JSON.stringify(one)).join("\n  ") : "";
  return `${name}\n  ${lines === "" ? JSON.stringify(value) : lines}`;
}

async function record(name: string, reply: Promise<{ status: number; body: unknown }>) {
  const { status, body } = await reply;
  responses.set(name, { status, body });
  return body as any;
}

const text = async (path: string) => (await fetched(app(), rich.admin.token, path)).text;
const jsonLines = (lines: string): unknown[] =>
  lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

async function recordReads() {
  const { workspace, admin, helper, boards, cards } = rich;
  const { rest } = admin;
  const home = `/workspaces/${workspace.publicId}`;
  await record("field.list", rest.get(`/boards/${boards.main}/fields`));
  for (const [name, id] of Object.entries(cards)) {
    await record(`card.get ${name}`, rest.get(`/cards/${id}`));
    await record(`card.activities ${name}`, rest.get(`/cards/${id}/activities`));
  }
  const { labels } = (await rest.get(`/boards/${boards.main}`)).body;
  const filters = {
    none: "",
    archived: "?archived=true",
    due: "?due=month&archived=true",
    undated: "?due=none",
    members: `?members=${helper.memberPublicId}`,
    labels: `?labels=${labels[0].publicId}`,
    limit: "?cardLimit=2",
  };
  for (const [name, query] of Object.entries(filters)) {
    await record(`board.get ${name}`, rest.get(`/boards/${boards.main}${query}`));
  }
  for (const sort of ["position", "dueDate", "createdAt", "updatedAt"]) {
    const path = `/boards/${boards.main}/cards?archived=true&sort=${sort}`;
    await record(`board.cards ${sort}`, rest.get(path));
  }
  await record("user.cards", helper.rest.get("/users/me/cards"));
  await record("board.get public", rest.get(`/boards/${boards.open}`));
  const bySlug = `/workspaces/by-slug/${workspace.slug}/boards/open`;
  await record("board.getBySlug", as(app()).rest.get(bySlug));
  await record("search", rest.get(`${home}/search?query=plain`));
  const parts = "?checklists=true&attachments=true&comments=true&archived=true";
  responses.set("workspace.snapshot", jsonLines(await text(`${home}/snapshot${parts}`)));
  responses.set(
    "board.csv",
    (await text(`/boards/${boards.main}/cards.csv?archived=true`)).split(/"[0-9a-z]{12}"\r\n/),
  );
}

async function recordWrites() {
  const { workspace, admin, boards, cards } = rich;
  const { rest } = admin;
  const home = `/workspaces/${workspace.publicId}`;
  const { body: main } = await rest.get(`/boards/${boards.main}`);
  const created = await record(
    "card.create",
    rest.post("/cards", {
      title: "New",
      description: "Text",
      listPublicId: main.lists[0].publicId,
      startDate: "2030-01-01T00:00:00Z",
      dueDate: "2030-02-01T00:00:00Z",
      labelPublicIds: [main.labels[0].publicId],
      checklists: [{ name: "Steps", items: ["x"] }],
    }),
  );
  const card = `/cards/${created.publicId}`;
  const changes = [
    { title: "Changed", description: null, dueDate: null },
    { isComplete: true, startDate: "2031-01-01T00:00:00Z" },
    { isComplete: false, isArchived: true },
    { isArchived: false, listPublicId: main.lists[1].publicId, index: 0 },
  ];
  for (const [nth, change] of changes.entries()) {
    await record(`card.update ${nth}`, rest.put(card, change));
  }
  await record("card.get changed", rest.get(card));
  const set = { isComplete: true, dueDate: "2032-01-01T00:00:00Z", startDate: null };
  const bulk = { cardPublicIds: [created.publicId, cards.plain], set };
  await record("card.bulkUpdate", rest.post(`/boards/${boards.main}/cards/bulk`, bulk));
  await record(
    "card.duplicate",
    rest.post(`/cards/${cards.full}/duplicate`, {
      withMembers: true,
      withAttachments: true,
      withComments: true,
    }),
  );
  await record(
    "card.duplicate of another board",
    rest.post(`${card}/duplicate`, {
      listPublicId: (await rest.get(`/boards/${boards.open}`)).body.lists[0].publicId,
    }),
  );
  const copy = await record(
    "board.create from a board",
    rest.post(`${home}/boards`, {
      name: "Copy",
      sourceBoardPublicId: boards.main,
      withAttachments: true,
    }),
  );
  for (const { cards: copied } of copy.lists) {
    for (const one of copied) {
      const { publicId, title } = one;
      if (plainTitle(one) !== undefined) continue;
      await record(`card.get copied ${title.slice(0, 8)}`, rest.get(`/cards/${publicId}`));
    }
  }
  const { body: there } = await rest.post("/workspaces", { name: "Elsewhere", slug: "elsewhere" });
  const move = { workspacePublicId: there.publicId };
  await record("board.move", rest.post(`/boards/${copy.publicId}/move`, move));
  const path = `/workspaces/${there.publicId}/export`;
  responses.set("workspace.export moved", JSON.parse(await text(path)));
  const document = await exported(app(), admin.token, workspace.publicId);
  responses.set("workspace.export", document);
  const { workspacePublicId } = await bring(app(), admin, document);
  const imported = await exported(app(), admin.token, workspacePublicId);
  responses.set("workspace.export imported", imported);
  for (let cursor = "", page = 1; page < 20; page++) {
    const { body } = await rest.get(`${home}/events?limit=100${cursor}`);
    responses.set(`events ${page}`, body.items);
    if (body.items.length === 0) break;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

beforeAll(async () => {
  app().advance(Date.UTC(year, 7, 15, 12) - app().deps.clock().getTime());
  rich = await makeRich(app());
  const { rest } = rich.admin;
  const { body: open } = await rest.put(`/boards/${rich.boards.open}`, {
    description: "Seen by all",
  });
  const { body: label } = await rest.post("/labels", {
    boardPublicId: open.publicId,
    name: "Shown",
    colourCode: "#00ff00",
  });
  const { lists } = (await rest.get(`/boards/${open.publicId}`)).body;
  const { body: card } = await rest.post("/cards", {
    title: "Public",
    description: "Text",
    listPublicId: lists[0].publicId,
    startDate: "2030-01-01T00:00:00Z",
    dueDate: "2030-02-01T00:00:00Z",
    labelPublicIds: [label.publicId],
    checklists: [{ name: "Steps", items: ["x", "y"] }],
  });
  await rest.put(`/cards/${card.publicId}`, { isComplete: true });
  await rest.post(`/cards/${card.publicId}/comments`, { comment: "Said" });
  await recordReads();
  await recordWrites();
});

test("cards are answered as they were recorded", async () => {
  let printed = [...responses].map(([name, response]) => print(name, response)).join("\n");
  for (const [id, name] of ids) printed = printed.replaceAll(id, name);
  for (const [pattern, mask] of masked) printed = printed.replace(pattern, mask);
  await expect(`${printed}\n`).toMatchFileSnapshot("recorded-responses.txt");
});
