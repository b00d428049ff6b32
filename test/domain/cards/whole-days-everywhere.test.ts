import { afterAll, beforeAll, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { signedIn } from "../../support/as.ts";
import { runDue } from "../../support/jobs.ts";
import {
  makeBoard,
  makeCard,
  makeUser,
  makeWorkspace,
  type Workspace,
} from "../../support/make.ts";
import { theDocument } from "../../support/responses.ts";
import { startSmtp } from "../../support/smtp.ts";
import { clientOf } from "../../api/kan/client.ts";
import { assign, makeTeam, notificationsOf } from "../../outbound/notifications/team.ts";
import { exported } from "../../transfer/exports/fetching.ts";
import { bring } from "../../transfer/imports/sending.ts";

const smtp = await startSmtp();
const app = useApp({ env: { SMTP_URL: smtp.url, VERIFY_EMAIL: "false" }, isolated: true });
afterAll(() => smtp.close());

type Any = any;
const day = "2031-05-04";
const midnight = `${day}T00:00:00.000Z`;
let workspace: Workspace;
let board: Awaited<ReturnType<typeof makeBoard>>;
beforeAll(async () => {
  workspace = await makeWorkspace(app());
  board = await makeBoard(workspace);
});

const document: Any = theDocument();

/** The paths of the dates of cards and items in a schema: those that take numbers too. */
function datesIn(schema: Any, path: string[] = [], seen = new Set<string>()): string[] {
  const name = String(schema?.$ref ?? "").replace(/.*\//, "");
  if (seen.has(name)) return [];
  if (name !== "")
    return datesIn(document.components.schemas[name], path, new Set([...seen, name]));
  const inner = [...(schema?.anyOf ?? []), ...(schema?.oneOf ?? []), ...(schema?.allOf ?? [])];
  return [
    ...(schema?.["x-also-accepts"] === "number" ? [path.join(".")] : []),
    ...inner.flatMap((one: Any) => datesIn(one, path, seen)),
    ...Object.entries(schema?.properties ?? {}).flatMap(([key, one]) =>
      datesIn(one, [...path, key], seen),
    ),
    ...(schema?.items === undefined ? [] : datesIn(schema.items, path, seen)),
  ];
}

/** Every way in which a date gets in, as the document describes it. */
const ways = Object.values<Any>(document.paths).flatMap((methods) =>
  Object.values<Any>(methods).flatMap((operation) => {
    const body = operation?.requestBody?.content?.["application/json"]?.schema;
    return [...new Set(datesIn(body))].map((path) => `${operation.operationId} ${path}`);
  }),
);

/** Gives a date in the way of an operation; answers what has it then. */
const given: Record<string, (path: string, date: string) => Promise<Any>> = {
  async "card.create"(path, date) {
    const body = { title: "x", listPublicId: board.lists[0], [path]: date };
    return cardOf((await workspace.admin.rest.post("/cards", body)).body.publicId);
  },
  async "card.update"(path, date) {
    const id = await newCard();
    await ok(workspace.admin.rest.put(`/cards/${id}`, { [path]: date }));
    return cardOf(id);
  },
  async "card.bulkUpdate"(path, date) {
    const id = await newCard();
    const body = { cardPublicIds: [id], set: { [path.replace("set.", "")]: date } };
    await ok(workspace.admin.rest.post(`/boards/${board.publicId}/cards/bulk`, body));
    return cardOf(id);
  },
  async "checklist.updateItem"(path, date) {
    const { item } = await newItem();
    return ok(workspace.admin.rest.put(`/checklists/items/${item}`, { [path]: date }));
  },
  async "workspace.batch"(path, date) {
    const name = path.split(".").at(-1) ?? "";
    const id = await newCard();
    const operations = [{ operation: "card.update", input: { cardPublicId: id, [name]: date } }];
    await ok(workspace.admin.rest.post(`/workspaces/${workspace.publicId}/batch`, { operations }));
    return cardOf(id);
  },
};

const newCard = () => makeCard(workspace.admin, board.lists[0] ?? "");
async function newItem() {
  const id = await newCard();
  const checklist = { name: "All", items: ["One"] };
  const body = await ok(workspace.admin.rest.post(`/cards/${id}/checklists`, checklist));
  return { id, item: String(body.items[0].publicId) };
}
const cardOf = async (id: string) => ok(workspace.admin.rest.get(`/cards/${id}`));
async function ok(reply: Promise<{ status: number; body: Any }>): Promise<Any> {
  const { status, body } = await reply;
  expect([status, body?.issues]).toEqual([200, undefined]);
  return body;
}

test("the document has dates in several operations, and each is given below", () => {
  const operations = new Set(ways.map((way) => way.split(" ")[0]));
  expect([...operations].toSorted()).toEqual(Object.keys(given).toSorted());
});

test.each(ways)("%s: a date is a whole day, a time is none", async (way) => {
  const [operation = "", path = ""] = way.split(" ");
  const name = path.split(".").at(-1) ?? "";
  const flag = name === "dueDate" ? "isDueAllDay" : "isStartAllDay";
  for (const [date, isDay] of [
    [day, true],
    [midnight, false],
    [`${day}T02:00:00+02:00`, false],
  ] as const) {
    const after = await given[operation]?.(path, date);
    expect([date, after[name], after[flag]]).toEqual([date, midnight, isDay]);
  }
});

/** The day of a moment on the walls of a zone. */
const wallDay = (moment: number, timeZone: string) =>
  new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short" }).format(moment);
const dayMs = 86_400_000;
const zones = [
  "UTC",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "America/New_York",
  "Asia/Kolkata",
];

test.each(zones)(
  "today, tomorrow and past are days of the reader in views: %s",
  async (timeZone) => {
    const own = await makeBoard(workspace);
    const { rest } = await signedIn(app(), workspace.admin);
    await ok(rest.put("/users/me", { timeZone }));
    const now = app().deps.clock().getTime();
    const keys = ["past", "today", "tomorrow"];
    for (const [nth, title] of keys.entries()) {
      const dueDate = wallDay(now + (nth - 1) * dayMs, timeZone);
      await ok(rest.post("/cards", { title, listPublicId: own.lists[0], dueDate }));
    }
    const body = {
      name: "By day",
      scope: "board",
      boardPublicId: own.publicId,
      groupBy: { field: "due" },
    };
    const view = await ok(rest.post(`/workspaces/${workspace.publicId}/views`, body));
    const { groups } = await ok(rest.get(`/views/${view.publicId}/groups`));
    expect(groups.map(({ key, count }: Any) => [key, count])).toEqual(keys.map((key) => [key, 1]));
    for (const key of keys) {
      const page = await ok(rest.get(`/views/${view.publicId}/cards?group=${key}`));
      expect(page.items.map(({ title }: Any) => title)).toEqual([key]);
    }
    const filter = { field: "dueDate", op: "is", value: "today" };
    const found = await ok(rest.post(`/boards/${own.publicId}/cards/query`, { filter }));
    expect(found.items.map(({ title }: Any) => title)).toEqual(["today"]);
  },
);

test("programs of Kan that write back what they read keep a whole day", async () => {
  const kan = clientOf(app(), workspace.admin.token);
  const id = await newCard();
  await ok(workspace.admin.rest.put(`/cards/${id}`, { dueDate: day }));
  const read = await kan("GET", `/cards/${id}`);
  expect(Date.parse(read.body.dueDate)).toBe(Date.parse(midnight));
  const { title, description, dueDate } = read.body;
  const written = await kan("PUT", `/cards/${id}`, {
    body: { title, description, dueDate },
  });
  expect(written.status).toBe(200);
  expect(await cardOf(id)).toMatchObject({ dueDate: midnight, isDueAllDay: true });
  const time = `${day}T09:30:00.000Z`;
  expect((await kan("PUT", `/cards/${id}`, { body: { dueDate: time } })).status).toBe(200);
  expect(await cardOf(id)).toMatchObject({ dueDate: time, isDueAllDay: false });
});

test("an exported workspace brings whole days back as such", async () => {
  const home = await makeWorkspace(app());
  const own = await makeBoard(home);
  const { rest } = home.admin;
  const field = { name: "When", type: "date" };
  const { publicId: when } = await ok(rest.post(`/boards/${own.publicId}/fields`, field));
  for (const [title, date] of [
    ["Day", day],
    ["Time", midnight],
  ]) {
    const fields = { [when]: date };
    const body = { title, listPublicId: own.lists[0], dueDate: date, startDate: date, fields };
    const { publicId } = await ok(rest.post("/cards", body));
    const checklist = { name: "All", items: ["One"] };
    const { items } = await ok(rest.post(`/cards/${publicId}/checklists`, checklist));
    await ok(rest.put(`/checklists/items/${items[0].publicId}`, { dueDate: date }));
  }
  const shown = ({ cards }: Any) =>
    cards.map(
      ({ title, dueDate, isDueAllDay, startDate, isStartAllDay, fields, checklists }: Any) => ({
        title,
        dates: [dueDate, isDueAllDay, startDate, isStartAllDay],
        values: fields.map(({ value }: Any) => value),
        items: checklists[0].items.map((item: Any) => [item.dueDate, item.isDueAllDay]),
      }),
    );
  const before = await exported(app(), home.admin.token, home.publicId);
  const user = await makeUser(app());
  const done = await bring(app(), user, before);
  expect(done).toMatchObject({ status: "completed", error: null });
  const after = await exported(app(), user.token, done.workspacePublicId);
  expect(shown(after)).toEqual(shown(before));
  expect(shown(before).map(({ dates }: Any) => dates[1])).toEqual([true, false]);
});

// The clock runs ahead from here on.
test.each(["Pacific/Kiritimati", "America/New_York"])(
  "mails say the day that a card is due on, without a time: %s",
  async (timeZone) => {
    const { ann, ben, card } = await makeTeam(app());
    const own = await signedIn(app(), ben);
    await ok(own.rest.put("/users/me", { timeZone }));
    const today = wallDay(app().deps.clock().getTime(), timeZone);
    await ok(ann.rest.put(`/cards/${card}`, { dueDate: today }));
    await assign(ann, card, ben);
    for (let nth = 0; nth < 4; nth++) {
      app().advance(10 * 60_000);
      await runDue(app().deps);
    }
    const due = (await notificationsOf(await signedIn(app(), ben))).filter(
      ({ type }) => type === "due_soon",
    );
    expect(due).toMatchObject([{ dueDate: `${today}T00:00:00.000Z`, isDueAllDay: true }]);
    const text = smtp.mails
      .filter(({ to }) => to.includes(ben.email))
      .map((mail) => mail.text)
      .join("\n");
    expect(text).toContain(today);
    expect(text).not.toMatch(new RegExp(`${today}[T ]\\d|00:00`));
  },
);
