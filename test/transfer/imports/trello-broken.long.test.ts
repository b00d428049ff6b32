import { expect, test } from "vitest";
import { runDue } from "../../support/jobs.ts";
import { useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { join, makeWorkspace, type Workspace } from "../../support/make.ts";
import { pour } from "../../domain/attachments/files.ts";
import { boardOf, importFile, send } from "./importing.ts";
import { makeExport } from "./trello-export.ts";
import {
  board,
  card,
  checklist,
  comment,
  idOf,
  item,
  kinds,
  label,
  list,
} from "./trello-objects.ts";

const app = useApp({ isolated: true });

const boardsOf = async (home: Workspace) =>
  (await home.admin.rest.get(`/workspaces/${home.publicId}/boards`)).body.items.length;

test.each([
  [
    "a web page",
    "<!DOCTYPE html><html><head><title>Log in to Trello</title></head></html>",
    /web page/,
  ],
  ["plain text", "Nothing of the kind", /starts with/],
  ["a list", "[1, 2]", /starts with/],
  ["nothing", "", /empty/],
  ["only space", "  \n ", /starts with/],
])("%s instead of an export is 400 at once", async (_, body, why) => {
  const home = await makeWorkspace(app());
  const reply = await send(app(), home, body);
  expect([reply.status, reply.body.code]).toEqual([400, "BAD_REQUEST"]);
  expect(reply.body.issues[0].message).toMatch(why);
  const { body: imports } = await home.admin.rest.get(`/workspaces/${home.publicId}/imports`);
  expect(imports.items).toEqual([]);
  expect(await app().db.reader.importFile.count()).toBe(0);
});

const whole = JSON.stringify(makeExport({ cards: 20 }));

test.each([
  ["cut off in the middle", whole.slice(0, whole.length / 2), /cut off/],
  ["cut off in a text", '{"id": "abc', /cut off/],
  ["no JSON after all", '{"id": 1, oops}', /not JSON: it is invalid at byte 10/],
  ["followed by something else", `${whole} and more`, /not JSON/],
  ["some other JSON", '{"name": "my-package", "version": "1.0.0"}', /no “id”, “lists”, “cards”/],
  ["without a valid id", '{"id": {}, "lists": [], "cards": []}', /id/],
  [
    "one card without end",
    `{"id":"a","lists":[],"cards":[{"id":"b","attachments":[${"{},".repeat(400_000)}{}]}]}`,
    /too large/,
  ],
  ["one list without end", `{"id":"a","name":[1${",1".repeat(500_000)}]}`, /too large/],
  ["one number without end", `{"id":"a","name":${"1".repeat(500_000)}}`, /too long/],
  ["nested without end", `{"id":"a","x":${"[".repeat(5_000)}`, /nested too deeply/],
])("an export that is %s fails with a message and creates nothing", async (_, body, why) => {
  const home = await makeWorkspace(app());
  const done = await importFile(app(), home, body);
  expect(done.status).toBe("failed");
  expect(done.error).toMatch(why);
  expect(done.counts["card"] ?? { created: 0 }).toMatchObject({ created: 0 });
  expect(await boardsOf(home)).toBe(0);
});

test("bytes that are not UTF-8 are read, and the message is about the rest", async () => {
  const home = await makeWorkspace(app());
  const bytes = Buffer.concat([
    Buffer.from('{"id": "'),
    Buffer.from([0xc3, 0x28, 0xff]),
    Buffer.from('"}'),
  ]);
  const stream = new Blob([bytes]).stream();
  const { body } = await send(app(), home, stream);
  await runDue(app().deps);
  const { body: done } = await home.admin.rest.get(`/imports/${body.publicId}`);
  expect(done).toMatchObject({ status: "failed", error: expect.stringContaining("no “lists”") });
});

test("orphans, duplicates and values of other types are reported by name; the rest is imported", async () => {
  const home = await makeWorkspace(app());
  const [one, lost] = [idOf(kinds.card, 1), idOf(kinds.card, 99)];
  const elsewhere = { idBoard: idOf(kinds.board, 2), idList: idOf(kinds.list, 77) };
  const done = await importFile(
    app(),
    home,
    board({
      lists: [list(1), list(1, { name: "Again" }), "a list", { name: "No id" }],
      labels: [label(1), label(1), 7],
      cards: [
        card(1, {
          idLabels: [idOf(kinds.label, 1), "unknown"],
          idChecklists: [idOf(kinds.checklist, 1)],
        }),
        card(1, { name: "Twice" }),
        card(2, elsewhere),
        card(3, { idList: null }),
        null,
        card(4, { id: 12 }),
      ],
      checklists: [
        checklist(1, one, [item(1), item(1), "an item"]),
        checklist(2, lost, [item(2)]),
        checklist(3, idOf(kinds.card, 2), [item(3)]),
      ],
      actions: [
        comment(1, one),
        comment(1, one),
        comment(2, lost),
        comment(3, idOf(kinds.card, 2)),
        { type: "commentCard" },
        comment(4, one, { data: { text: null, card: { id: one } } }),
        "an action",
      ],
    }),
  );
  expect(done).toMatchObject({ status: "completed", error: null });
  expect(done.counts).toMatchObject({
    list: { found: 4, created: 1, leftOut: 3 },
    label: { found: 3, created: 1, leftOut: 2 },
    card: { found: 6, created: 1, leftOut: 5 },
    checklist: { found: 3, created: 1, leftOut: 2 },
    checklistItem: { found: 5, created: 1, leftOut: 4 },
    comment: { found: 6, created: 1, leftOut: 5 },
    cardLabel: { found: 2, created: 1, leftOut: 1 },
    action: { found: 1, leftOut: 1 },
  });
  expect(done.issues).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        kind: "card",
        name: "Card 2",
        reason: expect.stringMatching(/list is not in/),
      }),
      expect.objectContaining({
        kind: "card",
        name: "Twice",
        reason: expect.stringMatching(/same id/),
      }),
      expect.objectContaining({ kind: "checklist", name: "Checklist 2" }),
    ]),
  );
  const { lists } = await boardOf(home, done.boards[0].publicId);
  expect(lists.map((each: any) => [each.name, each.cards.length])).toEqual([["List 1", 1]]);
});

test("names that are missing, empty, of another type or 10,000 characters long become names", async () => {
  const home = await makeWorkspace(app());
  const long = "é😀".repeat(5_000);
  const one = idOf(kinds.card, 1);
  const done = await importFile(
    app(),
    home,
    board({
      name: null,
      desc: 12,
      lists: [list(1, { name: long }), list(2, { name: null })],
      labels: [label(1, { name: long }), label(2, { color: "no colour of Trello's" })],
      cards: [
        card(1, { name: long, desc: "Text", idLabels: [idOf(kinds.label, 1)] }),
        card(2, { name: null, due: "soon", start: 5, desc: ["no text"], pos: "top" }),
        card(3, { name: "  \u0000 ", pos: null }),
        card(4, {
          name: 42,
          closed: "yes",
          badges: null,
          cover: "x",
          attachments: {},
          idLabels: 1,
        }),
      ],
      checklists: [
        checklist(1, one, [item(1, { name: long }), item(2, { name: null, due: "?" })], {
          name: long,
        }),
      ],
      actions: [comment(1, one, { data: { text: "x".repeat(30_000), card: { id: one } } })],
    }),
  );
  expect(done).toMatchObject({ status: "completed", error: null });
  const shown = await boardOf(home, done.boards[0].publicId);
  expect(shown.name).toBe("Untitled board");
  expect(shown.lists.map((each: any) => Array.from(each.name).length)).toEqual([
    255,
    "Untitled list".length,
  ]);
  const [first, ...others] = shown.lists[0].cards;
  expect(Array.from(first.title)).toHaveLength(2_000);
  expect(others.map((each: any) => each.title)).toEqual([
    "Untitled card",
    "Untitled card",
    "Untitled card",
  ]);
  const { body: shownWhole } = await home.admin.rest.get(`/cards/${first.publicId}`);
  expect(shownWhole.description).toContain(`The whole title: ${long}`);
  expect(Array.from(shownWhole.checklists[0].items[0].title)).toHaveLength(500);
  const named = done.issues.map(({ kind, reason }: any) => `${kind}: ${reason}`);
  for (const said of [
    "board: It had no name.",
    "list: It had no name.",
    "card: It had no name.",
    "card: Its due date is invalid.",
    "card: Its start date is invalid.",
    "card: Its description is not text.",
    "checklistItem: Its due date is invalid.",
  ]) {
    expect(named).toContain(said);
  }
  expect(named.filter((said: string) => said.includes("was cut")).length).toBeGreaterThanOrEqual(4);
  expect(done.counts.card).toMatchObject({ created: 4, leftOut: 0 });
});

test("lists, labels, checklists and items over the limits are reported by name", async () => {
  const home = await makeWorkspace(app());
  const one = idOf(kinds.card, 1);
  const many = (count: number, make: (nth: number) => object) =>
    Array.from({ length: count }, (_, nth) => make(nth + 1));
  const done = await importFile(
    app(),
    home,
    board({
      lists: many(203, (nth) => list(nth)),
      labels: many(503, (nth) => label(nth)),
      cards: [
        card(1, { idLabels: [idOf(kinds.label, 503)] }),
        card(2, { idList: idOf(kinds.list, 203) }),
      ],
      checklists: [
        checklist(
          1,
          one,
          many(502, (nth) => item(nth)),
        ),
        ...many(51, (nth) => checklist(nth + 1, one, [item(nth + 1_000)])),
      ],
    }),
  );
  expect(done.counts).toMatchObject({
    list: { found: 203, created: 200, leftOut: 3 },
    label: { found: 503, created: 500, leftOut: 3 },
    card: { found: 2, created: 1, leftOut: 1 },
    cardLabel: { found: 1, created: 0, leftOut: 1 },
    checklist: { found: 52, created: 50, leftOut: 2 },
    checklistItem: { found: 553, created: 549, leftOut: 4 },
  });
});

test("invalid numbers and ids do not stop the rest of the import", async () => {
  const home = await makeWorkspace(app());
  const one = idOf(kinds.card, 1);
  const filler = Array.from({ length: 999 }, (_, nth) => ({ id: `a${nth}`, type: "updateCard" }));
  const done = await importFile(
    app(),
    home,
    board({
      lists: [list(1)],
      labels: [label(1, { id: "a\0b" })],
      cards: [
        card(1, { badges: { votes: 5_000_000_000, comments: 5_000_000_000 }, pos: -1.5 }),
        card(2, { id: "c\0d" }),
        card(3, { idMembers: ["e\0f", "\ud800"], idLabels: ["g\0h"], shortLink: "i\0j" }),
      ],
      checklists: [checklist(1, one, [item(1, { id: "\udfff" })], { id: "k\0l" })],
      customFields: [{ id: "m\0n", name: "o\0p", options: [] }],
      actions: [{ id: "z", type: `q\0${"r".repeat(100_000)}` }, ...filler],
    }),
  );
  expect(done).toMatchObject({ status: "completed", error: null });
  expect(done.counts).toMatchObject({
    label: { found: 1, created: 1, leftOut: 0 },
    cardLabel: { found: 1, leftOut: 1 },
    cardMember: { found: 2, leftOut: 2 },
    card: { found: 3, created: 2, leftOut: 1 },
    checklist: { found: 1, leftOut: 1 },
    action: { found: 1_000, leftOut: 1_000 },
  });
  for (const { found, created, alreadyThere, leftOut } of Object.values<any>(done.counts))
    expect(created + alreadyThere + leftOut).toBe(found);
});

test("a file over 256 MiB is 413, and nothing of it stays", async () => {
  const home = await makeWorkspace(app());
  const reply = await app().fetch(
    new Request(`http://service/api/v1/imports/trello/file?workspacePublicId=${home.publicId}`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${home.admin.token}`,
        "Content-Length": String(257 * 1024 * 1024),
      },
      body: pour(1, 10, 0x7b),
      duplex: "half",
    }),
  );
  expect(reply.status).toBe(413);
  expect(await app().db.reader.importFile.count()).toBe(0);
});

test("a file goes over REST only: over tRPC it is 415", async () => {
  const home = await makeWorkspace(app());
  const asked = home.admin.trpc.import.trelloFile.mutate({ workspacePublicId: home.publicId });
  await expect(asked).rejects.toMatchObject({ data: { code: "UNSUPPORTED_MEDIA_TYPE" } });
});

test("an import is shown to its starter and to managers of the workspace only", async () => {
  const home = await makeWorkspace(app());
  const [member, other] = [await join(app(), home, "member"), await join(app(), home, "member")];
  const { body } = await send(app(), home, makeExport({ cards: 1 }), member.token);
  for (const [who, status] of [
    [member, 200],
    [other, 403],
    [home.admin, 200],
  ] as const) {
    expect((await as(app(), who).rest.get(`/imports/${body.publicId}`)).status).toBe(status);
    const listed = await as(app(), who).rest.get(`/workspaces/${home.publicId}/imports`);
    expect(listed.body.items).toHaveLength(status === 200 ? 1 : 0);
  }
  expect((await other.rest.post(`/imports/${body.publicId}/cancel`)).status).toBe(403);
});
