import { expect, test } from "vitest";
import { runDue } from "../../support/jobs.ts";
import { useApp } from "../../support/app.ts";
import { join, makeWorkspace, type Workspace } from "../../support/make.ts";
import { addsUp } from "./hosts.ts";
import { boardOf, read } from "./importing.ts";
import { afterFirst } from "./source.ts";

const app = useApp({});

type Body = string | Uint8Array;

async function post(home: Workspace, path: string, query: Record<string, string>, body: Body) {
  const search = new URLSearchParams({ workspacePublicId: home.publicId, ...query }).toString();
  const response = await app().fetch(
    new Request(`http://service/api/v1${path}?${search}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${home.admin.token}` },
      body: typeof body === "string" ? body : new Blob([Uint8Array.from(body)]),
    }),
  );
  const connection = response.headers.get("connection");
  return { status: response.status, body: (await response.json()) as any, connection };
}

const send = (home: Workspace, body: Body, query: Record<string, string> = {}) =>
  post(home, "/imports/csv", { boardName: "Cards", ...query }, body);
const preview = (home: Workspace, body: Body, query: Record<string, string> = {}) =>
  post(home, "/imports/csv/preview", query, body);

/** Imports a file to its end. */
async function bring(
  home: Workspace,
  body: Body,
  query: Record<string, string> = {},
): Promise<any> {
  const sent = await send(home, body, query);
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body));
  await runDue(app().deps);
  return read(home, sent.body.publicId);
}

const shape = (board: any) =>
  board.lists.map((list: any) => [list.name, list.cards.map((card: any) => card.title)]);

const exported = async (home: Workspace, board: string): Promise<string> => {
  const url = `http://service/api/v1/boards/${board}/cards.csv?archived=true`;
  const headers = { Authorization: `Bearer ${home.admin.token}` };
  const response = await app().fetch(new Request(url, { headers }));
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer()).toString("utf8");
};

/** A board with every kind of value that a CSV file can have. */
async function richBoard(home: Workspace): Promise<string> {
  const { rest } = home.admin;
  const { body: board } = await rest.post(`/workspaces/${home.publicId}/boards`, {
    name: "Rich",
    lists: ["Doing", "Done; really"],
    labels: [],
  });
  const labels: string[] = [];
  for (const name of ["Bug", "a, b", 'say "hi"; now', "=SUM(1)"]) {
    const made = await rest.post("/labels", {
      boardPublicId: board.publicId,
      name,
      colourCode: "#dc2626",
    });
    labels.push(made.body.publicId);
  }
  const shown = (await rest.get(`/boards/${board.publicId}`)).body;
  const [doing, done] = shown.lists;
  const make = async (list: any, input: object, change: object = {}) => {
    const made = await rest.post("/cards", {
      listPublicId: list.publicId,
      labelPublicIds: [],
      memberPublicIds: [],
      position: "end",
      ...input,
    });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    if (Object.keys(change).length > 0)
      expect((await rest.put(`/cards/${made.body.publicId}`, change)).status).toBe(200);
  };
  await make(doing, { title: '=1+1; "quoted", card', labelPublicIds: labels.slice(0, 2) });
  await make(doing, {
    title: "Zwei Zeilen – ünïcode 🎉",
    description: 'One\r\ntwo\n\n  three, "four"',
  });
  await make(doing, { title: "'=apostrophes", description: "'plain" });
  await make(
    done,
    {
      title: "Planned",
      startDate: "2026-02-01T08:00:00.000Z",
      dueDate: "2026-02-16T08:30:00.000Z",
      priority: "urgent",
      labelPublicIds: labels.slice(2),
    },
    { isComplete: true },
  );
  await make(done, { title: "Planned" }, { isArchived: true });
  return board.publicId;
}

/** The lines of a file without the columns that belong to one workspace. */
const linesOf = (csv: string) =>
  csv.replaceAll(/^"[A-Z0-9]+-\d+"/gm, "number").replaceAll(/"[a-z0-9]{12}"(?=\r\n)/g, "id");

test("our own CSV comes back equal, and a second import writes nothing twice", async () => {
  const home = await makeWorkspace(app());
  const before = await exported(home, await richBoard(home));
  const done = await bring(home, before, { boardName: "Rich again" });
  expect(done).toMatchObject({ source: "csv", status: "completed", error: null });
  expect(addsUp(done)).toBe(true);
  expect(done.counts).toMatchObject({
    board: { created: 1 },
    list: { created: 2 },
    label: { created: 4 },
    card: { created: 5 },
    cardLabel: { created: 4 },
  });
  const after = await exported(home, done.boards[0].publicId);
  expect(linesOf(after)).toBe(linesOf(before));
  const again = await bring(home, before, { boardName: "Rich again" });
  for (const { created } of Object.values<any>(again.counts)) expect(created).toBe(0);
  expect(again.counts.card).toMatchObject({ alreadyThere: 5 });
});

test("members come back equal after they are mapped", async () => {
  const home = await makeWorkspace(app());
  const other = await join(app(), home, "member");
  expect((await other.rest.put("/users/me", { name: "Grace, the Hopper" })).status).toBe(200);
  const member = await app().db.reader.member.findFirst({
    where: { user: { email: other.email }, workspace: { publicId: home.publicId } },
  });
  const done = await bring(home, 'title,members\nOne,"""Grace, the Hopper"", Nobody"\n');
  expect(done.issues.filter(({ kind }: any) => kind === "cardMember")).toHaveLength(2);
  const people = [{ sourceId: "grace, the hopper", memberPublicId: member?.publicId ?? "" }];
  const mapped = await home.admin.rest.put(`/imports/${done.publicId}/people`, { people });
  expect(mapped.status).toBe(200);
  const [line] = (await exported(home, done.boards[0].publicId)).split("\r\n").slice(1);
  expect(line).toContain('"""Grace, the Hopper"""');
});

const semicolons = "Aufgabe;Status;Fällig;Tags\r\nÜben;Offen;31.12.2026;a, b\r\n";
const mapping = { titleColumn: "Aufgabe", dueDateColumn: "Fällig" };
const windows = Buffer.from(semicolons, "latin1");

test.each([
  ["UTF-8", Buffer.from(semicolons)],
  ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${semicolons}`)],
  ["Windows-1252", windows],
  ["UTF-16", Buffer.from(`\uFEFF${semicolons}`, "utf16le")],
  ["with Excel's first line", Buffer.from(`sep=;\r\n${semicolons}`)],
  ["with tabs", Buffer.from(semicolons.replaceAll(";", "\t"))],
])(
  "a file in %s with semicolons, as spreadsheets save it, is read as it is meant",
  async (_, body) => {
    const home = await makeWorkspace(app());
    const done = await bring(home, body, mapping);
    const board = await boardOf(home, done.boards[0].publicId);
    expect(shape(board)).toEqual([["Offen", ["Üben"]]]);
    expect(board.lists[0].cards[0]).toMatchObject({ dueDate: "2026-12-31T00:00:00.000Z" });
    expect(board.labels.map(({ name }: any) => name).toSorted()).toEqual(["a", "b"]);
  },
);

test("Windows-1252 is not Latin-1, and may begin late in a file", async () => {
  const home = await makeWorkspace(app());
  const ascii = "title\r\n" + "One\r\n".repeat(3_000);
  const body = Buffer.concat([Buffer.from(ascii), Buffer.from([0x80, 0x93, 0x94, 0x0d, 0x0a])]);
  const done = await bring(home, body);
  expect(done.counts.card).toMatchObject({ created: 3_001 });
  const cards = await app().db.reader.card.count({
    where: { title: "€“”", list: { workspace: { publicId: home.publicId } } },
  });
  expect(cards).toBe(1);
});

test("quoted line breaks and quotes stay in their cells", async () => {
  const home = await makeWorkspace(app());
  const done = await bring(
    home,
    'title,description\n"One ""two""","a\nb\r\nc"\nThree,a "loose" quote\n',
  );
  const [one, three] = (await boardOf(home, done.boards[0].publicId)).lists[0].cards;
  const whole = await home.admin.rest.get(`/cards/${one.publicId}`);
  expect(whole.body).toMatchObject({ title: 'One "two"', description: "a\nb\r\nc" });
  expect((await home.admin.rest.get(`/cards/${three.publicId}`)).body.description).toBe(
    'a "loose" quote',
  );
});

test("a preview shows how columns and cards are read, and stores nothing", async () => {
  const home = await makeWorkspace(app());
  const body = "Name;Status;Due;Points\nOne;Doing;3/4/2026;5\nTwo;Later;4/4/2026;8\n";
  const shown = await preview(home, body);
  expect(shown.status, JSON.stringify(shown.body)).toBe(200);
  expect(shown.body).toMatchObject({
    delimiter: "semicolon",
    encoding: "utf-8",
    columns: [
      { name: "Name", target: "title", examples: ["One", "Two"] },
      { name: "Status", target: "list" },
      { name: "Due", target: "dueDate" },
      { name: "Points", target: null },
    ],
    cards: [
      {
        title: "One",
        list: "Doing",
        dueDate: null,
        issues: [expect.stringContaining("dateOrder")],
      },
      { title: "Two", dueDate: "2026-04-04T00:00:00.000Z", issues: [] },
    ],
  });
  const ordered = await preview(home, body, { dateOrder: "mdy" });
  expect(ordered.body.cards[0]).toMatchObject({ dueDate: "2026-03-04T00:00:00.000Z", issues: [] });
  const unclear = await preview(home, "a,b\n1,2\n");
  expect(unclear.body).toMatchObject({ columns: [{ target: null }, { target: null }], cards: [] });
  expect(
    await app().db.reader.import.count({ where: { workspace: { publicId: home.publicId } } }),
  ).toBe(0);
});

test("what cannot be read of a line is reported with its line, and the rest is imported", async () => {
  const home = await makeWorkspace(app());
  const body =
    "title,due,priority,done,effort\n" +
    "One,soon,enormous,yes,5\n,2026-01-01,HIGH,no,\nThree,,,2026-01-02,,surplus\n";
  const done = await bring(home, body);
  expect(done).toMatchObject({ status: "completed", counts: { card: { created: 3 } } });
  const said = done.issues.map(({ reason }: any) => reason).join("\n");
  for (const one of [
    "dueDate is not a date: soon",
    "priority is not one of this service: enormous",
    "does not say when it was completed",
    "It had no name",
    "more cells than the header",
    "The column is not imported",
  ])
    expect(said).toContain(one);
  const rows = await app().db.reader.card.findMany({
    where: { list: { workspace: { publicId: home.publicId } } },
    orderBy: { number: "asc" },
  });
  expect(rows.map(({ priority }) => priority)).toEqual(["none", "high", "none"]);
  expect(rows.map(({ completedAt }) => completedAt !== null)).toEqual([true, false, true]);
});

test("a longer file with the same board name adds only new cards", async () => {
  const home = await makeWorkspace(app());
  const first = await bring(home, "title\nOne\nTwo\nTwo\n");
  const second = await bring(home, "title\nOne\nTwo\nNew\nTwo\n");
  expect(second.counts).toMatchObject({
    board: { alreadyThere: 1 },
    card: { created: 1, alreadyThere: 3 },
  });
  const board = await boardOf(home, first.boards[0].publicId);
  expect(shape(board)).toEqual([["No list", ["One", "Two", "New", "Two"]]]);
});

test("an import that breaks off is completed by the next one", async () => {
  const home = await makeWorkspace(app());
  const body = `title\n${Array.from({ length: 2_500 }, (_, nth) => `Card ${nth}`).join("\n")}\n`;
  const { body: started } = await send(home, body);
  const broken = afterFirst(app(), "cards", home.publicId, async () => {
    await home.admin.rest.post(`/imports/${started.publicId}/cancel`, {});
  });
  await runDue(broken);
  const count = () =>
    app().db.reader.card.count({ where: { list: { workspace: { publicId: home.publicId } } } });
  expect(await count()).toBeGreaterThan(0);
  expect(await count()).toBeLessThan(2_500);
  const done = await bring(home, body);
  expect(done.status).toBe("completed");
  expect(await count()).toBe(2_500);
});

const wide = Array.from({ length: 10_000 }, (_, nth) => `column ${nth}`).join(",");
const title = { titleColumn: "title" };

test.each<[string, Body, Record<string, string>, string]>([
  ["an empty file", "", {}, "empty"],
  ["a file of blank lines", "\n\n  \n", {}, "no lines"],
  ["a file without a column of titles", "a,b\n1,2\n", {}, "column of the titles"],
  ["a column that is missing", "title\nOne\n", { listColumn: "Stage" }, "no column “Stage”"],
  ["10,000 columns", `title,${wide}\n`, {}, "more than 500 columns"],
  ["a spreadsheet", Buffer.from("PK\u0003\u0004 and more", "latin1"), title, "spreadsheet"],
  ["bytes", Buffer.from([1, 0, 2, 0, 3]), title, "not a text file"],
  ["a header with an unclosed quote", `"title${"\nOne".repeat(500_000)}`, {}, "quote"],
  ["an unknown option", "title\nOne\n", { column: "x" }, ""],
])(
  "%s is a 400 that says why, for an import and for a preview",
  async (_, body, query, message) => {
    const home = await makeWorkspace(app());
    const refused = await send(home, body, query);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining(message),
    ]);
    if (message.includes("titles")) return;
    expect((await preview(home, body, query)).status).toBe(400);
  },
);

test.each([
  ["an unclosed quote", `title\nOne\n"Two\n${"Three\n".repeat(50)}`, "a quote is not closed"],
  ["a line without end", `title\nOne\n"${"x".repeat(1_100_000)}`, "1,000,000 characters"],
])("a file with %s fails with a message, before anything is written", async (_, body, message) => {
  const home = await makeWorkspace(app());
  const failed = await bring(home, body);
  expect(failed).toMatchObject({ status: "failed", error: expect.stringContaining(message) });
  expect(failed.progress.phase).toBe("reading");
  expect(
    await app().db.reader.board.count({ where: { workspace: { publicId: home.publicId } } }),
  ).toBe(0);
});

test("NUL characters, thousands of labels and cells without columns are no harm", async () => {
  const home = await makeWorkspace(app());
  const labels = Array.from({ length: 5_000 }, (_, nth) => `label ${nth}`).join(",");
  const body = `title,labels${" ".repeat(5_000)}\nO\u0000ne,"${labels}"\nTwo${",x".repeat(10_000)}\n`;
  const done = await bring(home, body);
  expect(done).toMatchObject({ status: "completed", counts: { card: { created: 2 } } });
  expect(shape(await boardOf(home, done.boards[0].publicId))).toEqual([
    ["No list", ["One", "Two"]],
  ]);
  expect(done.issues.map(({ reason }: any) => reason).join()).toContain("more than 100 labels");
});

test("a huge file is refused by its size, and too many cards by their number", async () => {
  const home = await makeWorkspace(app());
  const huge = await send(home, Buffer.alloc(64 * 1024 * 1024 + 1, "a"));
  expect(huge.status).toBe(413);
  const many = await bring(home, `title\n${"x\n".repeat(100_001)}`);
  expect(many).toMatchObject({ status: "failed", error: expect.stringContaining("100,000 cards") });
});

test("a preview of a part of a file ends the connection, whose rest nobody reads", async () => {
  const home = await makeWorkspace(app());
  const lines = (count: number) => `title\n${"A card\n".repeat(count)}`;
  const whole = await preview(home, lines(10));
  expect([whole.status, whole.connection]).toEqual([200, null]);
  const part = await preview(home, lines(400_000));
  expect([part.status, part.connection]).toEqual([200, "close"]);
  const refused = await preview(home, `title\n"${"x".repeat(2_000_000)}`);
  expect([refused.status, refused.connection]).toEqual([400, "close"]);
});
