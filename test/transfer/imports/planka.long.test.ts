import { beforeEach, expect, test } from "vitest";
import { startPlanka, type PlankaData } from "../../support/planka.ts";
import { join, makeWorkspace, type Workspace } from "../../support/make.ts";
import { runDue } from "../../support/jobs.ts";
import { disconnect, htmlPage, json, redirectTo, text } from "../../support/stand-in.ts";
import { addsUp, useHost } from "./hosts.ts";
import { boardOf, read } from "./importing.ts";
import { plankaData } from "./planka-data.ts";
import { afterFirst } from "./source.ts";

const { app, host, ask, bring } = useHost("/imports/planka", startPlanka, ({ token }) => ({
  token,
}));

beforeEach(() => {
  const planka = host();
  Object.assign(planka, { version: 2, data: plankaData(), files: new Map() });
  planka.files.set("701", Buffer.from("abc"));
  planka.failAlways(undefined);
});

/** The titles of a board's cards, list by list. */
const shape = (board: any) =>
  board.lists.map((list: any) => [list.name, list.cards.map((card: any) => card.title)]);

const cardNamed = async (home: Workspace, board: any, title: string): Promise<any> => {
  const card = board.lists
    .flatMap((list: any) => list.cards)
    .find((one: any) => one.title === title);
  return (await home.admin.rest.get(`/cards/${card.publicId}`)).body;
};

const commentsOf = async (home: Workspace, card: string): Promise<any[]> =>
  (await home.admin.rest.get(`/cards/${card}/comments?limit=100`)).body.items;

test.each([1, 2] as const)(
  "everything of a board of Planka %i arrives, and a second import writes nothing twice",
  async (version) => {
    host().version = version;
    const home = await makeWorkspace(app());
    const done = await bring(home);
    expect(done).toMatchObject({ source: "planka", status: "completed", error: null });
    expect(addsUp(done)).toBe(true);
    expect(done.counts).toMatchObject({
      board: { created: 1 },
      list: { created: 2 },
      label: { created: 2 },
      // Planka 1 has no trash.
      card: { found: version === 1 ? 3 : 4, created: 3 },
      cardLabel: { created: 2 },
      checklist: { created: 1 },
      checklistItem: { created: 2 },
      comment: { found: 53, created: 53 },
    });
    const board = await boardOf(home, done.boards[0].publicId);
    expect(board).toMatchObject({ name: "Launch", description: "Website\n\nAll of *it*" });
    expect(shape(board)).toEqual([
      ["Doing", ["Card 401", "Card 402"]],
      ["Done", ["Card 403"]],
    ]);
    const card = await cardNamed(home, board, "Card 401");
    expect(card.labels.map((label: any) => [label.name, label.colourCode]).toSorted()).toEqual([
      ["Bug", "#e83855"],
      ["lagoon blue", "#109dc0"],
    ]);
    expect(card.createdAt).toBe("2024-03-01T08:00:00.000Z");
    expect(card.checklists).toMatchObject([
      {
        name: version === 1 ? "Tasks" : "Steps",
        items: [
          { title: "First (Grace)", isComplete: false },
          { title: "Second", isComplete: true },
        ],
      },
    ]);
    const comments = await commentsOf(home, card.publicId);
    expect(comments).toHaveLength(53);
    const first = comments.find(({ comment }) => comment === "Comment 0");
    expect(first).toMatchObject({
      authorName: "Ada",
      importedAuthor: { name: "Ada", source: "planka" },
      isEdited: true,
      createdAt: "2024-03-03T00:00:00.000Z",
    });
    const second = await cardNamed(home, board, "Card 402");
    expect(second).toMatchObject({
      dueDate: "2024-03-20T08:00:00.000Z",
      description: "Two *lines*",
    });
    const again = await bring(home);
    for (const { created } of Object.values<any>(again.counts)) expect(created).toBe(0);
    expect(again.counts.comment).toMatchObject({ alreadyThere: 53 });
    expect(again.counts.card).toMatchObject({ alreadyThere: 3 });
  },
);

test("files are stored with a token and with an API key, and cards in closed lists are complete", async () => {
  for (const credential of [{}, { token: undefined, apiKey: host().apiKey }]) {
    const home = await makeWorkspace(app());
    const done = await bring(home, credential);
    expect(done.counts.attachment).toMatchObject({ created: 2, leftOut: 0 });
    const board = await boardOf(home, done.boards[0].publicId);
    const card = await cardNamed(home, board, "Card 401");
    expect(card.attachments).toMatchObject([{ kind: "file", filename: "notes.txt", size: 3 }]);
    const rows = await app().db.reader.card.findMany({
      where: { title: "Card 403", list: { workspace: { publicId: home.publicId } } },
    });
    expect(rows[0]?.completedAt?.toISOString()).toBe("2024-03-09T08:00:00.000Z");
  }
});

test("archived cards of all pages arrive archived in their former list; the trash stays at Planka", async () => {
  host().data = plankaData(120);
  const home = await makeWorkspace(app());
  const done = await bring(home);
  expect(done).toMatchObject({ status: "completed", counts: { card: { created: 123 } } });
  const { publicId } = done.boards[0];
  const live = (await home.admin.rest.get(`/boards/${publicId}`)).body;
  expect(shape(live)).toEqual([
    ["Doing", ["Card 401", "Card 402"]],
    ["Done", ["Card 403"]],
  ]);
  const [doing, , archive] = (await boardOf(home, publicId)).lists;
  expect(doing.cards).toHaveLength(121);
  expect([archive.name, archive.cards.length]).toEqual(["Archive", 1]);
});

test("custom fields of boards, of their project and of cards arrive with their values", async () => {
  const home = await makeWorkspace(app());
  const done = await bring(home);
  const board = await boardOf(home, done.boards[0].publicId);
  expect(board.fields.map(({ name, type }: any) => `${name} ${type}`)).toEqual([
    "Plan: Effort text",
    "Days number",
    "Launch date",
    "Approved checkbox",
    "Size select",
    "Customer text",
    "Only here: Effort text",
  ]);
  const [, , , , size] = board.fields;
  expect(size).toMatchObject({
    isShownOnCard: true,
    options: [
      { name: "Small", colourCode: "#e83855" },
      { name: "Large", colourCode: null },
    ],
  });
  const { fields } = await cardNamed(home, board, "Card 402");
  expect(board.fields.map(({ publicId }: any) => fields[publicId])).toEqual([
    "five",
    2.5,
    "2026-03-13T16:00:00.000Z",
    true,
    size.options[1].publicId,
    "Ada & Sons",
    "little",
  ]);
  expect(addsUp(done)).toBe(true);
  expect(done.counts).toMatchObject({
    field: { created: 7 },
    fieldOption: { created: 2 },
    cardField: { found: 8, created: 7, leftOut: 1 },
  });
});

test("what has no place here is reported, with its value", async () => {
  const home = await makeWorkspace(app());
  const { issues } = await bring(home);
  const said = issues.map(({ kind, severity }: any) => `${kind} ${severity}`);
  for (const one of ["stopwatch loss", "cover loss", "cardField loss", "list partial"])
    expect(said).toContain(one);
  const of = (wanted: string) =>
    issues
      .filter(({ kind, severity }: any) => kind === wanted && severity === "loss")
      .map(({ name, detail, reason }: any) => [name, detail, reason]);
  expect(of("cardType")).toEqual([
    ["Card 402", "story", "Types of cards are not supported: story"],
  ]);
  expect(of("boardMember")).toEqual([
    ["Ada @ada", "editor", expect.stringContaining("Members of boards")],
    ["Grace", "viewer", expect.stringContaining("Members of boards")],
  ]);
  expect(of("favourite")).toEqual([["Website", "Launch", "Favourites are not imported: Launch"]]);
  expect(of("card")).toEqual([["Thrown away", null, "It is in the trash of Planka."]]);
  const refused = issues.filter(({ kind }: any) => kind === "cardField");
  expect(refused).toMatchObject([
    { name: "Card 401", reason: "The field expects a number: Days: many" },
  ]);
});

test("people become members when someone maps them", async () => {
  const home = await makeWorkspace(app());
  const member = await join(app(), home, "member");
  const { publicId, boards } = await bring(home);
  const { body } = await home.admin.rest.get(`/imports/${publicId}/people`);
  expect(body.items.map(({ name }: any) => name).toSorted()).toEqual(["Ada @ada", "Grace"]);
  const row = await app().db.reader.member.findFirst({
    where: { user: { email: member.email }, workspace: { publicId: home.publicId } },
  });
  const people = [{ sourceId: "10", memberPublicId: row?.publicId ?? "" }];
  const mapped = await home.admin.rest.put(`/imports/${publicId}/people`, { people });
  expect(mapped.status).toBe(200);
  const board = await boardOf(home, boards[0].publicId);
  const card = await cardNamed(home, board, "Card 401");
  expect(card.members).toMatchObject([{ publicId: row?.publicId }]);
});

test("an import that breaks off before its cards is completed by the next one", async () => {
  const home = await makeWorkspace(app());
  const { body } = await ask(home);
  const broken = afterFirst(app(), "lists", home.publicId, async () => {
    await home.admin.rest.post(`/imports/${body.publicId}/cancel`, {});
  });
  await runDue(broken);
  const before = await read(home, body.publicId);
  expect(before).toMatchObject({ status: "cancelled" });
  const done = await bring(home);
  expect(done).toMatchObject({
    status: "completed",
    counts: { board: { alreadyThere: 1 }, card: { created: 3 }, comment: { created: 53 } },
  });
  const board = await boardOf(home, before.boards[0].publicId);
  expect(shape(board)).toEqual([
    ["Doing", ["Card 401", "Card 402"]],
    ["Done", ["Card 403"]],
  ]);
});

test("a password is exchanged for a token and stored nowhere", async () => {
  const home = await makeWorkspace(app());
  const { status, body } = await ask(home, { token: undefined, ...host().login });
  expect(status).toBe(200);
  const row = await app().db.reader.import.findUniqueOrThrow({
    where: { publicId: body.publicId },
  });
  const opened = app().deps.seal.open(`input of import ${body.publicId}`, row.input);
  expect(opened).toContain(host().token);
  for (const stored of [opened, JSON.stringify(row, (_, value) => String(value))])
    expect(stored).not.toContain(host().login.password);
  expect(row.input).not.toContain(host().token);
  await runDue(app().deps);
  const done = await read(home, body.publicId);
  expect(done.status).toBe("completed");
  const ended = await app().db.reader.import.findUniqueOrThrow({
    where: { publicId: body.publicId },
  });
  expect(ended.input).toBe("");
});

test("an account that has not accepted the terms is told so", async () => {
  const home = await makeWorkspace(app());
  host().requiresTerms = true;
  const refused = await ask(home, { token: undefined, ...host().login });
  host().requiresTerms = false;
  expect(refused.status).toBe(403);
  expect(JSON.stringify(refused.body)).toContain("has not accepted the terms");
});

test.each([
  ["no credential", { token: undefined }, 400],
  ["two credentials", { apiKey: "key" }, 400],
  ["a username without a password", { token: undefined, emailOrUsername: "ada" }, 400],
  ["a wrong token", { token: "wrong" }, 403],
  ["a wrong password", { token: undefined, emailOrUsername: "ada", password: "wrong" }, 403],
  ["an address that is none", { url: "planka" }, 400],
  ["a private address", { url: "http://10.0.0.7" }, 400],
  ["the address of the metadata of a cloud", { url: "http://169.254.169.254/latest" }, 400],
  ["credentials in the address", { url: "https://user:secret@example.com" }, 400],
  ["a file", { url: "file:///etc/passwd" }, 400],
])("%s is refused at once", async (_, input, status) => {
  const home = await makeWorkspace(app());
  const refused = await ask(home, input);
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([status, expect.any(String)]);
  expect(JSON.stringify(refused.body)).not.toContain("secret");
});

test.each([
  ["redirects to a private address", redirectTo("http://169.254.169.254/latest"), 400, "redirects"],
  ["answers with its web page", htmlPage(200), 400, "not the address of Planka"],
  ["answers with rubbish", text("{"), 502, "invalid response"],
  ["answers with another shape", json({ items: 5 }), 502, "invalid response"],
  ["hangs up", disconnect, 502, "Planka"],
  ["is overloaded", htmlPage(503), 502, "503"],
])("a Planka that %s is named in the answer", async (_, fault, status, message) => {
  const home = await makeWorkspace(app());
  host().failNext(fault);
  const refused = await ask(home);
  expect(refused.status).toBe(status);
  expect(JSON.stringify(refused.body)).toContain(message);
});

test("a Planka that fails during the import ends it with a message, and nothing is half there", async () => {
  const home = await makeWorkspace(app());
  const { body } = await ask(home);
  host().failAlways(redirectTo("http://169.254.169.254/latest"));
  await runDue(app().deps);
  const failed = await read(home, body.publicId);
  expect(failed).toMatchObject({ status: "failed", error: expect.stringContaining("redirects") });
  expect(
    await app().db.reader.card.count({
      where: { list: { workspace: { publicId: home.publicId } } },
    }),
  ).toBe(0);
});

test("a file that is gone stays a link", async () => {
  const home = await makeWorkspace(app());
  const { body } = await ask(home);
  const planka = host();
  planka.files.clear();
  await runDue(app().deps);
  const done = await read(home, body.publicId);
  expect(done.status).toBe("completed");
  const said = done.issues.filter(({ kind }: any) => kind === "attachment");
  expect(said).toMatchObject([{ name: "notes.txt", severity: "partial" }]);
});

test("boards are chosen by id and by project; one that is missing is reported", async () => {
  const home = await makeWorkspace(app());
  const none = await bring(home, { boardIds: ["404404"] });
  expect(none.issues).toMatchObject([{ kind: "board", sourceId: "404404" }]);
  const some = await bring(home, { projectIds: ["100"] });
  expect(some.counts.board).toMatchObject({ created: 1 });
});

/** What is left in memory of each kind is bounded: a host of a stranger can send more. */
test.each([
  [
    "comments without end",
    (data: any) => {
      const [comment] = data.comments;
      data.comments = Array.from({ length: 150 }, (_, nth) => {
        return { ...comment, id: String(90_000 + nth), text: "x".repeat(400_000) };
      });
    },
    "bytes",
  ],
  [
    "users without end",
    (data: any) => {
      const more = Array.from({ length: 20_001 }, (_, nth) => ({ id: `u${nth}`, name: "Ada" }));
      data.users = more;
    },
    "more than 20,000 people",
  ],
  [
    "boards without end",
    (data: any) => {
      const [board] = data.boards;
      data.boards = Array.from({ length: 10_001 }, (_, nth) => ({ ...board, id: `b${nth}` }));
    },
    "more than 10,000 boards",
  ],
])("a Planka that sends %s ends the import with a message", async (_, change, message) => {
  const home = await makeWorkspace(app());
  change(host().data);
  const done = await bring(home);
  expect(done).toMatchObject({ status: "failed", error: expect.stringContaining(message) });
});

test.each(Object.keys(plankaData(3)) as (keyof PlankaData)[])(
  "ids that Planka sends twice among its %s do no harm, in whatever parent they are",
  async (kind) => {
    const data = plankaData(3);
    const rows: Record<string, unknown>[] = data[kind] as never;
    // The first id again for other rows, each row again as it is, and again on another card.
    const renamed = rows.slice(1).map((row) => ({ ...row, id: rows[0]?.["id"] }));
    const moved = rows.map((row) => ("cardId" in row ? { ...row, cardId: "403" } : row));
    Object.assign(data, { [kind]: [...rows, ...renamed, ...rows, ...moved] });
    host().data = data;
    const home = await makeWorkspace(app());
    const done = await bring(home);
    expect(done).toMatchObject({ status: "completed", error: null });
    expect(addsUp(done)).toBe(true);
    const again = await bring(home);
    expect(again).toMatchObject({ status: "completed", error: null });
    for (const { created } of Object.values<any>(again.counts)) expect(created).toBe(0);
  },
);

test("ids of one board that Planka also sends with another one do no harm", async () => {
  const data: any = plankaData();
  data.boards.push({ ...data.boards[0], id: "201", name: "Other" });
  for (const kind of ["lists", "labels", "cards"])
    data[kind].push(...data[kind].map((row: any) => ({ ...row, boardId: "201" })));
  host().data = data;
  const home = await makeWorkspace(app());
  const done = await bring(home);
  expect(done).toMatchObject({ status: "completed", error: null });
  expect(addsUp(done)).toBe(true);
});
