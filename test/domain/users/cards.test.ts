import { expect, test } from "vitest";
import { passesFilter } from "../../../src/contract/filter/evaluate.ts";
import type { FilterTree } from "../../../src/contract/filter/tree.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace, type User } from "../../support/make.ts";
import { expectSound } from "../../property/invariants.ts";

const app = useApp({ isolated: true });

/** The titles of the caller's cards, page by page. */
async function titlesOf({ rest }: User, query = ""): Promise<string> {
  let titles = "";
  for (let cursor = ""; ;) {
    const { status, body } = await rest.get(`/users/me/cards?limit=2${query}${cursor}`);
    expect(status).toBe(200);
    titles += body.items.map((card: { title: string }) => card.title).join("");
    if (body.nextCursor === null) return titles;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
}

test("user.cards follows due dates, archives, deletes and restores of assigned cards", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const { rest } = admin;
  const board = await makeBoard(workspace, { lists: ["One", "Two"] });
  const me = String((await rest.get(`/workspaces/${workspace.publicId}`)).body.memberPublicId);
  const ids: Record<string, string> = {};
  for (const title of ["a", "b", "c", "d", "e"]) {
    const id = await makeCard(admin, board.lists[0] ?? "", title);
    await rest.put(`/cards/${id}/members/${me}`);
    ids[title] = id;
  }
  expect(await titlesOf(admin)).toBe("abcde");
  const put = async (title: string, body: object) =>
    expect((await rest.put(`/cards/${ids[title]}`, body)).status).toBe(200);
  await put("d", { dueDate: "2031-01-01T00:00:00Z" });
  await put("b", { dueDate: "2031-01-02T00:00:00Z" });
  expect(await titlesOf(admin)).toBe("dbace");
  expect(await titlesOf(admin, "&due=none")).toBe("ace");
  await put("d", { isArchived: true });
  await rest.delete(`/cards/${ids["c"]}`);
  expect(await titlesOf(admin)).toBe("bae");
  await put("d", { isArchived: false });
  await rest.post(`/cards/${ids["c"]}/restore`);
  await put("b", { dueDate: null });
  expect(await titlesOf(admin)).toBe("dabce");
  const cards = { cardPublicIds: [ids["a"], ids["e"]], set: { isArchived: true } };
  expect((await rest.post(`/boards/${board.publicId}/cards/bulk`, cards)).status).toBe(200);
  expect(await titlesOf(admin)).toBe("dbc");
  await rest.put(`/lists/${board.lists[0]}`, { isArchived: true });
  expect(await titlesOf(admin)).toBe("");
  await expectSound(app());
});

test("user.cards merges the workspaces of the caller in one order", async () => {
  const one = await makeWorkspace(app());
  const other = await makeWorkspace(app(), one.admin);
  const { rest } = one.admin;
  for (const [workspace, days] of [
    [one, [1, 3, 5]],
    [other, [2, 4, 6]],
  ] as const) {
    const [list = ""] = (await makeBoard(workspace)).lists;
    const path = `/workspaces/${workspace.publicId}`;
    const memberPublicIds = [(await rest.get(path)).body.memberPublicId];
    for (const day of days) {
      const dueDate = `2031-01-0${day}T00:00:00Z`;
      const card = { title: `${day}`, listPublicId: list, dueDate, memberPublicIds };
      expect((await rest.post("/cards", card)).status).toBe(200);
    }
  }
  expect(await titlesOf(one.admin)).toBe("123456");
  expect(await titlesOf(one.admin, `&workspacePublicId=${other.publicId}`)).toBe("246");
});

test("a filter of user.cards is the caller's in each workspace", async () => {
  const one = await makeWorkspace(app());
  const host = await makeWorkspace(app());
  const boards = [await makeBoard(one), await makeBoard(host)];
  const { body: invite } = await host.admin.rest.post(`/workspaces/${host.publicId}/invites`, {
    role: "guest",
  });
  const { rest } = one.admin;
  expect((await rest.post("/invites/accept", { inviteCode: invite.inviteCode })).status).toBe(200);
  for (const [nth, { publicId, admin }] of [one, host].entries()) {
    const { body } = await rest.get(`/workspaces/${publicId}`);
    for (const title of ["a", "b"]) {
      const card = await makeCard(admin, boards[nth]?.lists[0] ?? "", `${title}${nth}`);
      await admin.rest.put(`/cards/${card}/members/${body.memberPublicId}`);
      await admin.rest.put(`/cards/${card}/labels/${boards[nth]?.labels[0]}`);
    }
  }
  const filtered = (filter: object) =>
    titlesOf(one.admin, `&filter=${encodeURIComponent(JSON.stringify(filter))}`);
  const isMine = { field: "members", op: "is", value: "me" };
  expect(await filtered(isMine)).toBe("a0b0a1b1");
  expect(await filtered({ not: isMine })).toBe("");
  const hasLabel = { field: "labels", op: "isNotEmpty" };
  const isB = { field: "title", op: "contains", value: "B" };
  expect(await filtered({ and: [hasLabel, isB] })).toBe("b0b1");
  const { body: me } = await rest.get(`/workspaces/${host.publicId}`);
  const permissions = `/workspaces/${host.publicId}/members/${me.memberPublicId}/permissions`;
  await host.admin.rest.post(`${permissions}/revoke`, { permission: "board:view" });
  expect(await filtered(hasLabel)).toBe("a0b0");
  expect(await filtered({ field: "labels", op: "isEmpty" })).toBe("a1b1");
  const { body } = await rest.get("/users/me/cards?filter={}");
  expect(body.issues).toMatchObject([{ path: ["filter", "field"] }]);
});

test("periods are those of the days of each workspace, in `due` as in a filter", async () => {
  const one = await makeWorkspace(app());
  const { rest } = one.admin;
  const { body: other } = await rest.post("/workspaces", { name: "Other" });
  const now = app().deps.clock().getTime();
  const places = [
    { publicId: one.publicId, timeZone: "Pacific/Kiritimati", weekStartDay: 0 },
    { publicId: String(other.publicId), timeZone: "Pacific/Pago_Pago", weekStartDay: 4 },
  ];
  const cards: { title: string; dueDate: string | null; place: number }[] = [];
  for (const [place, { publicId, ...days }] of places.entries()) {
    expect((await rest.put(`/workspaces/${publicId}`, days)).status).toBe(200);
    const me = (await rest.get(`/workspaces/${publicId}`)).body.memberPublicId;
    const [list = ""] = (await makeBoard({ ...one, publicId })).lists;
    for (let nth = -20; nth <= 20; nth++) {
      const dueDate = nth === 20 ? null : new Date(now + nth * 7 * 3_600_000).toISOString();
      const card = { title: `${place}.${nth}`, dueDate, place };
      cards.push(card);
      const { title } = card;
      const input = { title, listPublicId: list, dueDate, memberPublicIds: [me] };
      expect((await rest.post("/cards", input)).status).toBe(200);
    }
  }
  const listed = async (query: string) =>
    (await rest.get(`/users/me/cards?limit=100&${query}`)).body.items
      .map(({ title }: { title: string }) => title)
      .toSorted();
  const within = (value: string): FilterTree => ({ field: "dueDate", op: "within", value });
  const periods: [string, FilterTree][] = [
    ["today", within("today")],
    ["tomorrow", within("tomorrow")],
    ["week", within("thisWeek")],
    ["month", within("thisMonth")],
    ["overdue", { field: "dueDate", op: "lt", value: "now" }],
    ["none", { field: "dueDate", op: "isEmpty" }],
  ];
  for (const [due, filter] of periods) {
    const expected = cards.flatMap((card) => {
      const { timeZone = "", weekStartDay = 0 } = places[card.place] ?? {};
      const passes = passesFilter(card, filter, { now, timeZone, weekStartDay, me: null });
      return passes ? [card.title] : [];
    });
    expect([due, await listed(`due=${due}`)]).toEqual([due, expected.toSorted()]);
    const text = encodeURIComponent(JSON.stringify({ not: { not: filter } }));
    expect([due, await listed(`filter=${text}`)]).toEqual([due, expected.toSorted()]);
  }
});
