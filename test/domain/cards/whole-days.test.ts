import { beforeAll, expect, test } from "vitest";
import { createClient, type Client } from "../../../src/client/index.ts";
import { createStore, filterCards, type Filter } from "../../../src/client/store/index.ts";
import { useApp } from "../../support/app.ts";
import fc from "../../support/fast-check.ts";
import { makeBoard, makeCard, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();
const zones = [
  "UTC",
  "America/New_York",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "America/Santiago",
  "America/Havana",
  "Australia/Lord_Howe",
  "America/Nuuk",
];
const dayMs = 86_400_000;
const hourMs = 3_600_000;
// In each zone with summer time, the clocks change on one of these days.
const changes = [
  "2041-03-31",
  "2041-10-27",
  "2041-09-08",
  "2041-03-10",
  "2041-11-03",
  "2041-04-07",
];
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const near = (day: string) => [-1, 0, 1].map((more) => dateOf(Date.parse(day) + more * dayMs));
const days = changes.flatMap(near);

let workspace: Workspace;
let client: Client;
let board: Awaited<ReturnType<typeof makeBoard>>;
let fieldPublicId: string;

beforeAll(async () => {
  workspace = await makeWorkspace(app());
  board = await makeBoard(workspace);
  const [listPublicId] = board.lists;
  const { rest } = workspace.admin;
  const field = { name: "When", type: "date", isShownOnCard: true };
  fieldPublicId = (await rest.post(`/boards/${board.publicId}/fields`, field)).body.publicId;
  for (const [nth, day] of days.entries()) {
    const time = new Date(Date.parse(day) + (nth % 24) * hourMs).toISOString();
    for (const dueDate of [day, time]) {
      const fields = { [fieldPublicId]: dueDate };
      const { status, body } = await rest.post("/cards", {
        title: dueDate,
        listPublicId,
        dueDate,
        fields,
      });
      if (status !== 200) throw new Error(JSON.stringify(body));
    }
  }
  client = createClient({
    url: "http://boards.test",
    auth: { token: workspace.admin.token },
    fetch: async (address, init) => app().fetch(new Request(address, init)),
  });
});

/** The day of a moment in a time zone, by the clock on a wall there. */
const wallDay = (moment: number, timeZone: string) =>
  new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short" }).format(moment);

async function titlesOf(filter: Filter): Promise<string[]> {
  const page = await client.board.queryCards({ boardPublicId: board.publicId, limit: 100, filter });
  return page.items.map(({ title }) => title).toSorted();
}

test.each(zones)("SQL and the client agree on what a whole day is in %s", async (timeZone) => {
  await client.user.update({ timeZone });
  const store = createStore(client);
  const view = await store.board(board.publicId).ready();
  store.close();
  const all = view.lists.flatMap(({ cards }) => cards);
  const value = fc.oneof(
    fc.constantFrom(...days),
    fc
      .tuple(fc.constantFrom(...days), fc.nat(2 * dayMs))
      .map(([day, ms]) => new Date(Date.parse(day) + ms).toISOString()),
  );
  const filters = fc.record({
    field: fc.constantFrom("dueDate", `fields.${fieldPublicId}`),
    op: fc.constantFrom("is", "isNot", "lt", "lte", "gt", "gte", "within"),
    value,
  }) as fc.Arbitrary<Filter>;
  const property = fc.asyncProperty(filters, async (filter) => {
    const shown = filterCards(view, filter, { timeZone, weekStartDay: 1, now: Date.now() });
    expect(shown.map(({ title }) => title).toSorted()).toEqual(await titlesOf(filter));
  });
  await fc.assert(property, { numRuns: 30 });
  for (const day of days) {
    const meant = all.filter(({ title }) =>
      title.includes("T") ? wallDay(Date.parse(title), timeZone) === day : title === day,
    );
    expect(await titlesOf({ field: "dueDate", op: "is", value: day })).toEqual(
      meant.map(({ title }) => title).toSorted(),
    );
  }
});

test.each(zones)("a whole day is overdue when it has ended in %s", async (timeZone) => {
  await client.user.update({ timeZone });
  const { rest } = workspace.admin;
  const own = await makeBoard(workspace);
  for (const dueDate of near("2041-03-31"))
    await rest.post("/cards", { title: dueDate, listPublicId: own.lists[0], dueDate });
  for (let hours = -20; hours < 40; hours += 7) {
    const now = Date.parse("2041-03-31T00:30:00Z") + hours * hourMs;
    const today = wallDay(now, timeZone);
    const filter = { field: "dueDate", op: "lt", value: new Date(now).toISOString() };
    const { body } = await rest.post(`/boards/${own.publicId}/cards/query`, { filter });
    expect(body.items.map(({ title }: any) => title)).toEqual(
      near("2041-03-31").filter((day) => day < today),
    );
  }
});

const midnight = "2031-05-04T00:00:00.000Z";
/** Every way in which a date of a card is given: answers the id of the card. */
const ways: Record<string, (date: unknown, list: string) => Promise<string>> = {
  async "card.create"(dueDate, listPublicId) {
    return (await workspace.admin.rest.post("/cards", { title: "x", listPublicId, dueDate })).body
      .publicId;
  },
  async "card.update"(dueDate, list) {
    const id = await makeCard(workspace.admin, list);
    expect((await workspace.admin.rest.put(`/cards/${id}`, { dueDate })).status).toBe(200);
    return id;
  },
  async "card.update over tRPC"(dueDate, list) {
    const id = await makeCard(workspace.admin, list);
    await client.card.update({ cardPublicId: id, dueDate: dueDate as string });
    return id;
  },
  async "card.bulkUpdate"(dueDate, list) {
    const id = await makeCard(workspace.admin, list);
    const path = `/boards/${board.publicId}/cards/bulk`;
    const input = { cardPublicIds: [id], set: { dueDate } };
    expect((await workspace.admin.rest.post(path, input)).status).toBe(200);
    return id;
  },
  async "workspace.batch"(dueDate, list) {
    const id = await makeCard(workspace.admin, list);
    const operations = [{ operation: "card.update", input: { cardPublicId: id, dueDate } }];
    const path = `/workspaces/${workspace.publicId}/batch`;
    expect((await workspace.admin.rest.post(path, { operations })).status).toBe(200);
    return id;
  },
  async "card.duplicate"(dueDate, list) {
    const id = await ways["card.create"]?.(dueDate, list);
    const { body } = await workspace.admin.rest.post(`/cards/${id}/duplicate`, {});
    return body.publicId;
  },
};

test.each(Object.entries(ways))("a date without a time is a whole day: %s", async (_, way) => {
  const [list = ""] = board.lists;
  const { rest } = workspace.admin;
  const id = await way("2031-05-04", list);
  const { body } = await rest.get(`/cards/${id}`);
  expect(body).toMatchObject({ dueDate: midnight, isDueAllDay: true, isStartAllDay: false });
  // Written back as it was read, or with an offset, it is no change.
  for (const dueDate of [body.dueDate, "2031-05-04T02:00:00+02:00"]) {
    expect((await rest.put(`/cards/${id}`, { title: body.title, dueDate })).status).toBe(200);
    const { body: same } = await rest.get(`/cards/${id}`);
    expect(same).toMatchObject({ dueDate: midnight, isDueAllDay: true, version: body.version });
  }
  await rest.put(`/cards/${id}`, { dueDate: null });
  expect((await rest.put(`/cards/${id}`, { dueDate: midnight })).status).toBe(200);
  const { body: cleared } = await rest.get(`/cards/${id}`);
  expect(cleared).toMatchObject({ dueDate: midnight, isDueAllDay: false });
  const timed = (await rest.get(`/cards/${await way(midnight, list)}`)).body;
  expect(timed).toMatchObject({ dueDate: midnight, isDueAllDay: false });
});

test("a whole day of an item and of a custom field", async () => {
  const { rest } = workspace.admin;
  const [list = ""] = board.lists;
  const id = await makeCard(workspace.admin, list);
  const checklist = { name: "All", items: ["One"] };
  const { body: made } = await rest.post(`/cards/${id}/checklists`, checklist);
  const item = made.items[0].publicId;
  const { body: dated } = await rest.put(`/checklists/items/${item}`, { dueDate: "2031-05-04" });
  expect(dated).toMatchObject({ dueDate: midnight, isDueAllDay: true });
  await rest.put(`/cards/${id}`, { fields: { [fieldPublicId]: "2031-05-04" } });
  const { body: card } = await rest.get(`/cards/${id}`);
  expect(card.fields).toEqual({ [fieldPublicId]: "2031-05-04" });
  expect(card.checklists[0].items).toMatchObject([{ dueDate: midnight, isDueAllDay: true }]);
  const { body: csv } = await rest.get(`/boards/${board.publicId}/cards.csv`);
  expect(String(csv)).toContain("2031-05-04");
  const { body: same } = await rest.put(`/checklists/items/${item}`, { dueDate: midnight });
  expect(same).toMatchObject({ dueDate: midnight, isDueAllDay: true });
  await rest.put(`/checklists/items/${item}`, { dueDate: null });
  const { body: timed } = await rest.put(`/checklists/items/${item}`, { dueDate: midnight });
  expect(timed).toMatchObject({ dueDate: midnight, isDueAllDay: false });
});

test("CSV files have whole days in both directions", async () => {
  const { rest } = workspace.admin;
  const own = await makeBoard(workspace);
  const [listPublicId] = own.lists;
  await rest.post("/cards", { title: "Day", listPublicId, dueDate: "2031-05-04" });
  await rest.post("/cards", { title: "Time", listPublicId, dueDate: midnight });
  const { body: csv } = await rest.get(`/boards/${own.publicId}/cards.csv`);
  const lines = String(csv).trim().split("\r\n").slice(1);
  expect(lines[0]).toContain(`"2031-05-04"`);
  expect(lines[1]).toContain(`"${midnight}"`);
});

test("the store shows the same: a date that is written back stays a whole day, offline too", async () => {
  const [list = ""] = board.lists;
  const { body } = await workspace.admin.rest.post("/cards", {
    title: "Written back",
    listPublicId: list,
    dueDate: "2031-05-04",
    startDate: "2031-05-01",
  });
  const store = createStore(client);
  const copy = store.board(board.publicId);
  const close = copy.subscribe(() => undefined);
  await copy.ready();
  const shown = () =>
    copy
      .get()
      .board?.lists.flatMap(({ cards }) => cards)
      .find(({ publicId }) => publicId === body.publicId);
  const { dueDate, startDate } = body;
  const sent = copy.cards.update(body.publicId, { dueDate, startDate, title: "Now" });
  expect(shown()).toMatchObject({ title: "Now", isDueAllDay: true, isStartAllDay: true });
  await sent.done;
  const after = await workspace.admin.rest.get(`/cards/${body.publicId}`);
  expect(after.body).toMatchObject({ title: "Now", isDueAllDay: true, isStartAllDay: true });
  close();
  store.close();
});
