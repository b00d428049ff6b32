import { beforeEach, expect, test } from "vitest";
import { startKan, type KanBoardData } from "../../support/kan.ts";
import { join, makeWorkspace, type Workspace } from "../../support/make.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { runDue } from "../../support/jobs.ts";
import {
  disconnect,
  htmlPage,
  json,
  redirectTo,
  text,
  type Fault,
} from "../../support/stand-in.ts";
import { addsUp, useHost } from "./hosts.ts";
import { boardOf, read } from "./importing.ts";

const { app, host, ask, bring } = useHost("/imports/kan", startKan, ({ apiKey }) => ({ apiKey }));

const ada = {
  publicId: "memberada001",
  email: "ada@example.com",
  user: { id: "user-ada", name: "Ada", email: "ada@example.com", image: null },
  status: "active",
};
const bug = { publicId: "labelbug0001", name: "Bug", colourCode: "#dc2626" };

const card = (publicId: string, index: number, more: object = {}) => ({
  publicId,
  title: `Card ${publicId}`,
  description: null,
  index,
  cardNumber: index + 1,
  dueDate: null,
  labels: [],
  members: [],
  attachments: [],
  checklists: [],
  comments: [],
  ...more,
});

const board = (publicId: string, more: Partial<KanBoardData> = {}): KanBoardData => ({
  publicId,
  name: "Launch",
  slug: "launch",
  visibility: "private",
  type: "regular",
  isArchived: false,
  workspacePublicId: "workspace001",
  labels: [bug],
  lists: [],
  ...more,
});

const full = () =>
  board("boardlaunch1", {
    lists: [
      { publicId: "listdone0001", name: "Done", index: 1, cards: [card("cardthree001", 0)] },
      {
        publicId: "listdoing001",
        name: "Doing",
        index: 0,
        cards: [
          card("cardtwo00001", 1, { dueDate: "2024-03-20T08:00:00.000Z" }),
          card("cardone00001", 0, {
            description: "<p>Two <strong>lines</strong></p>",
            labels: [bug],
            members: [ada],
            attachments: [{ publicId: "attachment01" }],
            comments: [{ publicId: "comment00001" }],
            checklists: [
              {
                publicId: "checklist001",
                name: "Steps",
                index: 0,
                items: [
                  { publicId: "item00000002", title: "Second", completed: true, index: 1 },
                  { publicId: "item00000001", title: "First", completed: false, index: 0 },
                ],
              },
            ],
          }),
        ],
      },
    ],
  });

const activity = (type: string, day: number, comment: object | null = null) => ({
  publicId: `activity${day}`,
  type,
  createdAt: `2024-03-0${day}T08:00:00.000Z`,
  user: { name: "Ada", email: "ada@example.com" },
  comment,
});
const comment = {
  publicId: "comment00001",
  comment: "Well done",
  createdBy: "user-ada",
  updatedAt: "2024-03-04T08:00:00.000Z",
  deletedAt: null,
};

beforeEach(() => {
  const kan = host();
  kan.failAlways(undefined);
  kan.workspaces = [{ publicId: "workspace001", name: "Home", members: [ada] }];
  kan.boards = [full()];
  kan.files.set("key-of-file", Buffer.from("abc"));
  kan.details.set("cardone00001", {
    attachments: [
      {
        publicId: "attachment01",
        contentType: "text/plain",
        s3Key: "key-of-file",
        originalFilename: "notes.txt",
        size: 3,
      },
    ],
    activities: [
      activity("card.created", 1),
      activity("card.updated.comment.added", 2, comment),
      activity("card.updated.comment.updated", 4, comment),
    ],
  });
});

const shape = (shown: any) =>
  shown.lists.map((list: any) => [list.name, list.cards.map((one: any) => one.title)]);

/** The card with comments, and these. */
async function firstCard(home: Workspace, shown: any) {
  const { publicId } = shown.lists[0].cards[0];
  const { body } = await home.admin.rest.get(`/cards/${publicId}`);
  const comments = (await home.admin.rest.get(`/cards/${publicId}/comments`)).body.items;
  return { card: body, comments };
}

test("everything of a board arrives, and a second import writes nothing twice", async () => {
  const home = await makeWorkspace(app());
  const done = await bring(home);
  expect(done).toMatchObject({ source: "kan", status: "completed", error: null });
  expect(addsUp(done)).toBe(true);
  expect(done.counts).toMatchObject({
    board: { created: 1 },
    list: { created: 2 },
    label: { created: 1 },
    card: { created: 3 },
    cardLabel: { created: 1 },
    checklist: { created: 1 },
    checklistItem: { created: 2 },
    comment: { found: 1, created: 1 },
    attachment: { found: 1, created: 1 },
  });
  const shown = await boardOf(home, done.boards[0].publicId);
  expect(shown).toMatchObject({
    name: "Launch",
    slug: "launch",
    labels: [{ colourCode: "#dc2626" }],
  });
  expect(shape(shown)).toEqual([
    ["Doing", ["Card cardone00001", "Card cardtwo00001"]],
    ["Done", ["Card cardthree001"]],
  ]);
  const first = await firstCard(home, shown);
  expect(first.card).toMatchObject({
    createdAt: "2024-03-01T08:00:00.000Z",
    updatedAt: "2024-03-04T08:00:00.000Z",
    description: "Two **lines**\n\nMembers at Kan: Ada",
    checklists: [{ items: [{ title: "First" }, { title: "Second", isComplete: true }] }],
  });
  expect(first.comments).toMatchObject([
    {
      comment: "Well done",
      isEdited: true,
      createdAt: "2024-03-02T08:00:00.000Z",
      importedAuthor: { name: "Ada", source: "kan" },
    },
  ]);
  // Files are fetched without the key.
  expect(host().storage.requests.every(({ headers }) => headers.authorization === undefined)).toBe(
    true,
  );
  const again = await bring(home);
  for (const { created } of Object.values<any>(again.counts)) expect(created).toBe(0);
});

test("all boards of chosen workspaces arrive: templates, and archived ones as archived", async () => {
  const kan = host();
  kan.workspaces.push({ publicId: "workspace002", name: "Other", members: [] });
  kan.boards = [
    board("boardarchiv1", { name: "Old", isArchived: true }),
    board("boardtempla1", { name: "Form", type: "template" }),
    board("boardpublic1", { name: "Open", visibility: "public" }),
    board("boardother01", { name: "Other", workspacePublicId: "workspace002" }),
  ];
  const home = await makeWorkspace(app());
  const done = await bring(home, { workspaceIds: ["workspace001"] });
  expect(done.boards.map(({ name }: any) => name).toSorted()).toEqual(["Form", "Old", "Open"]);
  const rows = await app().db.reader.board.findMany({
    where: { workspace: { publicId: home.publicId } },
    orderBy: { name: "asc" },
  });
  expect(rows.map(({ type, visibility }) => `${type} ${visibility}`)).toEqual([
    "template private",
    "regular private",
    "regular private",
  ]);
  expect(rows[1]?.archivedAt).not.toBeNull();
  expect(done.issues.map(({ reason }: any) => reason).join(" ")).toContain("public at Kan");
  const all = await bring(home);
  expect(all.counts.board).toMatchObject({ created: 1, alreadyThere: 3 });
});

test("members are assigned when they are mapped", async () => {
  const home = await makeWorkspace(app());
  const member = await join(app(), home, "member");
  const { publicId, boards } = await bring(home);
  const row = await app().db.reader.member.findFirst({
    where: { user: { email: member.email }, workspace: { publicId: home.publicId } },
  });
  const people = [{ sourceId: ada.publicId, memberPublicId: row?.publicId ?? "" }];
  expect((await home.admin.rest.put(`/imports/${publicId}/people`, { people })).status).toBe(200);
  const first = await firstCard(home, await boardOf(home, boards[0].publicId));
  expect(first.card.members).toMatchObject([{ publicId: row?.publicId }]);
  expect(first.comments[0].importedAuthor.member).toMatchObject({ publicId: row?.publicId });
});

const limited: Fault = () => ({
  status: 429,
  headers: { "retry-after": "1" },
  body: { message: "Too many requests, please try again later." },
});

test("the import waits for Kan's rate limit and goes on", async () => {
  const home = await makeWorkspace(app());
  const { body } = await ask(home);
  host().failNext(limited);
  await runDue(app().deps);
  expect(await read(home, body.publicId)).toMatchObject({
    status: "completed",
    counts: { card: { created: 3 } },
  });
});

/** A board whose cards all have comments, which are read one by one. */
const commented = (count: number) =>
  board("boardmany001", {
    lists: [
      {
        publicId: "listmany0001",
        name: "Many",
        index: 0,
        cards: Array.from({ length: count }, (_, nth) =>
          card(`cardmany000${nth}`, nth, { comments: [{ publicId: `comment0000${nth}` }] }),
        ),
      },
    ],
  });

const limitedForLong: Fault = () => ({
  status: 429,
  headers: { "retry-after": "40" },
  body: { message: "Too many requests, please try again later." },
});

test("a run that waits for the minute's limit gives its worker back, and the next goes on", async () => {
  const home = await makeWorkspace(app());
  host().boards = [commented(6)];
  const { body } = await ask(home);
  host().requests.length = 0;
  host().failSome((nth) => nth % 4 === 0, limitedForLong);
  let rounds = 0;
  for (; (await read(home, body.publicId)).status !== "completed"; rounds++) {
    expect(rounds).toBeLessThan(20);
    await runDue(app().deps);
    app().advance(41_000);
  }
  expect(rounds).toBeGreaterThan(2);
  expect(await read(home, body.publicId)).toMatchObject({ counts: { card: { created: 6 } } });
  const paths = host().requests.map(({ path, query }) => `${path}?${query.toString()}`);
  // Only a call that was refused was repeated.
  expect(paths.length - new Set(paths).size).toBe(Math.floor(paths.length / 4));
  host().failSome(undefined, limitedForLong);
  expect(await app().db.reader.importReading.count()).toBe(0);
});

/** What Kan answers beyond the limit of a key: the same as for a wrong key. */
const refusedKey: Fault = () => ({
  status: 401,
  body: { message: "UNAUTHORIZED", code: "UNAUTHORIZED" },
});

test("a key that is refused beyond its limit waits for a minute, again and again", async () => {
  const home = await makeWorkspace(app());
  host().boards = [commented(6)];
  const { body } = await ask(home);
  host().requests.length = 0;
  host().failSome((nth) => nth % 4 === 0, refusedKey);
  let rounds = 0;
  for (; (await read(home, body.publicId)).status !== "completed"; rounds++) {
    expect(rounds).toBeLessThan(20);
    await runDue(app().deps);
    app().advance(61_000);
  }
  host().failSome(undefined, refusedKey);
  expect(rounds).toBeGreaterThan(2);
  expect(await read(home, body.publicId)).toMatchObject({ counts: { card: { created: 6 } } });
});

test("a key that is still refused after the minute ends the import, and says so", async () => {
  const home = await makeWorkspace(app());
  const { body } = await ask(home);
  host().failAlways(refusedKey);
  await runDue(app().deps);
  const waiting = await read(home, body.publicId);
  expect(waiting).toMatchObject({ status: expect.toBeOneOf(["queued", "running"]), error: null });
  app().advance(61_000);
  await runDue(app().deps);
  const failed = await read(home, body.publicId);
  expect(failed).toMatchObject({
    status: "failed",
    error: expect.stringContaining("Kan refused the credentials."),
  });
});

test("a refusal at the start names the limit too", async () => {
  const home = await makeWorkspace(app());
  host().failNext(refusedKey);
  const refused = await ask(home);
  expect(refused.status).toBe(403);
  expect(JSON.stringify(refused.body)).toContain("100 calls in a minute");
});

test("a Kan that takes too long for a board ends the import", async () => {
  const home = await makeWorkspace(app());
  const { body } = await ask(home);
  await app().db
    .write(sql`INSERT INTO import_readings ("importId", "workspaceId", part, key, value, ms)
    SELECT id, "workspaceId", 'board boardlaunch1', '/slow', '{}', 1900000 FROM imports
    WHERE "publicId" = ${body.publicId}`);
  await runDue(app().deps);
  const failed = await read(home, body.publicId);
  expect(failed).toMatchObject({ status: "failed" });
  expect(failed.error).toContain("Kan answers too slowly");
});

test("a file that is gone, or at a private address, stays a link", async () => {
  const home = await makeWorkspace(app());
  host().files.clear();
  const done = await bring(home);
  expect(done).toMatchObject({ status: "completed", counts: { attachment: { created: 1 } } });
  expect(done.issues.filter(({ kind }: any) => kind === "attachment")).toMatchObject([
    { name: "notes.txt", severity: "partial" },
  ]);
});

test.each([
  ["a wrong key", { apiKey: "wrong" }, 403],
  ["a private address", { url: "http://192.168.0.1" }, 400],
  ["an empty key", { apiKey: "" }, 400],
])("%s is refused at once", async (_, input, status) => {
  const home = await makeWorkspace(app());
  expect((await ask(home, input)).status).toBe(status);
});

test.each([
  ["redirects", redirectTo("http://127.0.0.1:1/"), 400],
  ["answers with its web page", htmlPage(200), 400],
  ["answers with rubbish", text("{"), 502],
  ["answers with another shape", json({ boards: [] }), 502],
  ["hangs up", disconnect, 502],
])("a Kan that %s is named in the answer", async (_, fault, status) => {
  const home = await makeWorkspace(app());
  host().failNext(fault);
  expect((await ask(home)).status).toBe(status);
});

test("a response with more values than are converted at once is refused", async () => {
  const home = await makeWorkspace(app());
  host().failNext(json(Array.from({ length: 150_001 }, () => ({ workspace: {} }))));
  const { status, body } = await ask(home);
  expect(status).toBe(502);
  expect(body.issues[0].message).toContain("too many values");
});

/** A board in Kan's shape, without ids and what is of one account. */
const contentsOf = (shown: any) => ({
  name: shown.name,
  slug: shown.slug,
  labels: shown.labels.map(({ name, colourCode }: any) => ({ name, colourCode })),
  lists: shown.lists.map(({ name, cards }: any) => ({
    name,
    cards: cards.map(({ title, description, dueDate, labels, checklists, ...more }: any) => ({
      title,
      description,
      dueDate,
      labels: labels.map(({ name: label }: any) => label),
      checklists: checklists.map(({ name: list, items }: any) => ({
        name: list,
        items: items.map((item: any) => ({ title: item.title, completed: item.completed })),
      })),
      files: more.attachments.length,
      hasComments: more.comments.length > 0,
    })),
  })),
});

test("a board comes back equal over /kan, in the shape in which Kan sent it", async () => {
  const kan = host();
  // The texts of Kan's editor arrive as Markdown.
  for (const { cards } of kan.boards[0]?.lists ?? [])
    for (const one of cards) if (one["description"] !== null) one["description"] = "Two **lines**";
  for (const list of kan.boards[0]?.lists ?? []) {
    // Members are assigned when they are mapped.
    for (const one of list.cards) one["members"] = [];
    list.cards = list.cards.toSorted((one, other) => one["index"] - other["index"]);
  }
  const sent = kan.boards[0]?.lists.toSorted((one, other) => one["index"] - other["index"]);
  const first = sent?.[0]?.cards[0];
  const items = first?.["checklists"][0].items;
  items.sort((one: any, other: any) => one.index - other.index);
  const home = await makeWorkspace(app());
  const done = await bring(home);
  const response = await app().fetch(
    new Request(`http://service/kan/api/v1/boards/${done.boards[0].publicId}`, {
      headers: { Authorization: `Bearer ${home.admin.token}` },
    }),
  );
  expect(response.status).toBe(200);
  const shown = await response.json();
  expect(contentsOf(shown)).toEqual(contentsOf({ ...kan.boards[0], lists: sent }));
});
