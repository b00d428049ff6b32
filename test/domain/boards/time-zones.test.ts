import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { as, signedIn, type As } from "../../support/as.ts";
import { join, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();
let workspace: Workspace;
let admin: As;
let board: { publicId: string; slug: string; lists: { publicId: string }[] };
let me: string;

/** Sets the clock, and makes a workspace with a public board whose admin has a session. */
async function begin(now: string) {
  app().advance(Date.parse(now) - app().deps.clock().getTime());
  workspace = await makeWorkspace(app());
  ({ admin } = workspace);
  const home = `/workspaces/${workspace.publicId}`;
  me = (await admin.rest.get(home)).body.memberPublicId;
  const fields = { name: "Plan", lists: ["One"], visibility: "public" };
  ({ body: board } = await admin.rest.post(`${home}/boards`, fields));
}

async function addCards(...dates: string[]) {
  for (const dueDate of dates) {
    const fields = { listPublicId: board.lists[0]?.publicId, memberPublicIds: [me] };
    const { status } = await admin.rest.post("/cards", { title: dueDate, dueDate, ...fields });
    expect(status).toBe(200);
  }
}

const setZone = (timeZone: string | null) => admin.rest.put("/users/me", { timeZone });
const setZoneOfWorkspace = (timeZone: string | null) =>
  admin.rest.put(`/workspaces/${workspace.publicId}`, { timeZone });

type Titled = { title: string };
const titles = (cards: Titled[]) => cards.map(({ title }) => title).toSorted();

/** The due dates of the cards that every operation with a filter on due dates finds. */
async function due(when: string, { rest }: As = admin): Promise<string[]> {
  const { body: user } = await rest.get("/users/me");
  const isMine = user.publicId === workspace.admin.publicId;
  const [whole, page, csv, mine] = await Promise.all([
    rest.get(`/boards/${board.publicId}?due=${when}`),
    rest.get(`/boards/${board.publicId}/cards?due=${when}`),
    rest.get(`/boards/${board.publicId}/cards.csv?due=${when}`),
    rest.get(`/users/me/cards?due=${when}`),
  ]);
  const found = titles(whole.body.lists[0].cards);
  expect(titles(page.body.items)).toEqual(found);
  const rows = String(csv.body).trim().split("\r\n").slice(1);
  expect(rows.map((row) => row.split(",")[1]?.replaceAll('"', "")).toSorted()).toEqual(found);
  if (isMine) expect(titles(mine.body.items)).toEqual(found);
  return found;
}

const publicDue = async (when: string) => {
  const path = `/workspaces-by-slug/${workspace.slug}/boards/${board.slug}?due=${when}`;
  return titles((await as(app()).rest.get(path)).body.lists[0].cards);
};

const hour = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();

test.each([
  ["a day of 23 hours", "Europe/Berlin", "2041-03-30T23:00Z", 23],
  ["a day of 25 hours", "Europe/Berlin", "2041-10-26T22:00Z", 25],
  ["a day without a midnight", "America/Santiago", "2041-09-08T04:00Z", 23],
  ["a day with two midnights", "America/Havana", "2041-11-03T04:00Z", 25],
  ["a day after a hole", "America/Nuuk", "2041-03-31T01:00Z", 24],
  ["half an hour", "Asia/Kolkata", "2041-05-05T18:30Z", 24],
  ["half an hour of summer time", "Australia/Lord_Howe", "2041-04-06T13:00Z", 24.5],
  ["UTC+14", "Pacific/Kiritimati", "2041-05-05T10:00Z", 24],
  ["UTC-11", "Pacific/Pago_Pago", "2041-05-05T11:00Z", 24],
])("due=today is the day of the caller's time zone: %s, %s", async (_, timeZone, first, hours) => {
  const start = Date.parse(first);
  const end = start + hours * hour;
  await begin(iso(start + hour / 2));
  await addCards(iso(start - 1), iso(start), iso(end - 1), iso(end));
  expect((await setZone(timeZone)).body).toMatchObject({ timeZone });
  const today = [iso(start), iso(end - 1)];
  expect(await due("today")).toEqual(today);
  app().advance(end - 1 - app().deps.clock().getTime());
  // The clock of a test runs ahead of the first session.
  const again = await signedIn(app(), workspace.admin);
  expect(await due("today", again)).toEqual(today);
  expect(await due("tomorrow", again)).toEqual([iso(end)]);
});

test("the caller's time zone is preferred to the workspace's, which is preferred to UTC", async () => {
  await begin("2042-05-05T12:00:00Z");
  const [utc, tokyo, honolulu] = [
    "2042-05-05T01:00:00.000Z",
    "2042-05-04T20:00:00.000Z",
    "2042-05-06T05:00:00.000Z",
  ];
  await addCards(utc, tokyo, honolulu);
  expect(await due("today")).toEqual([utc]);
  await setZoneOfWorkspace("Asia/Tokyo");
  expect(await due("today")).toEqual([tokyo, utc]);
  expect(await publicDue("today")).toEqual([tokyo, utc]);
  await setZone("Pacific/Honolulu");
  expect(await due("today")).toEqual([honolulu]);
  expect(await publicDue("today")).toEqual([tokyo, utc]);
  await setZone(null);
  expect(await due("today")).toEqual([tokyo, utc]);
  await setZoneOfWorkspace(null);
  expect(await due("today")).toEqual([utc]);
});

test("callers in two time zones never share an answer that depends on it", async () => {
  await begin("2042-06-05T12:00:00Z");
  const other = await join(app(), workspace, "admin");
  const [mine, theirs, both] = [
    "2042-06-06T03:00:00.000Z",
    "2042-06-04T20:00:00.000Z",
    "2042-06-05T11:00:00.000Z",
  ];
  await addCards(mine, theirs, both);
  await setZone("America/New_York");
  await other.rest.put("/users/me", { timeZone: "Asia/Tokyo" });
  for (let n = 0; n < 2; n++) {
    expect(await due("today")).toEqual([both, mine]);
    expect(await due("today", other)).toEqual([theirs, both]);
    expect(await due("none")).toEqual(await due("none", other));
  }
});

test.each([
  [0, "2043-03-28T23:00:00.000Z", "2043-04-04T21:59:59.999Z"],
  [1, "2043-03-22T23:00:00.000Z", "2043-03-29T21:59:59.999Z"],
])("due=week starts on weekStartDay %i in the time zone", async (weekStartDay, first, last) => {
  // A Sunday in Berlin, where clocks change, and still Saturday in UTC.
  await begin("2043-03-28T23:30:00Z");
  await admin.rest.put(`/workspaces/${workspace.publicId}`, { weekStartDay });
  await setZone("Europe/Berlin");
  const [start, end] = [Date.parse(first), Date.parse(last)];
  await addCards(iso(start - 1), first, last, iso(end + 1));
  expect(await due("week")).toEqual([first, last]);
});

test("due=month is the month of the time zone", async () => {
  await begin("2043-10-31T10:30:00Z");
  await setZone("Pacific/Kiritimati");
  const [first, last] = ["2043-10-31T10:00:00.000Z", "2043-11-30T09:59:59.999Z"];
  await addCards("2043-10-31T09:59:59.999Z", first, last, "2043-11-30T10:00:00.000Z");
  expect(await due("month")).toEqual([first, last]);
});

test("card.bulkUpdate changes the cards of the caller's day", async () => {
  await begin("2043-12-05T12:00:00Z");
  await setZone("Asia/Tokyo");
  await addCards("2043-12-04T20:00:00.000Z", "2043-12-05T20:00:00.000Z");
  const path = `/boards/${board.publicId}/cards/bulk`;
  const { body } = await admin.rest.post(path, {
    filter: { due: "today" },
    set: { isComplete: true },
  });
  expect(body).toEqual({ selected: 1, changed: 1 });
});

test("due=overdue compares moments", async () => {
  await begin("2044-05-05T12:00:00Z");
  await addCards("2044-05-05T11:59:59.000Z", "2044-05-05T12:00:01.000Z");
  for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    await setZone(timeZone);
    expect(await due("overdue")).toEqual(["2044-05-05T11:59:59.000Z"]);
  }
});
