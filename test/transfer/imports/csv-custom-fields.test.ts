import { beforeEach, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { runDue } from "../../support/jobs.ts";
import { makeWorkspace, type Workspace } from "../../support/make.ts";
import { addsUp } from "./hosts.ts";
import { boardOf, read } from "./importing.ts";

const app = useApp({ isolated: true });

let home: Workspace;
beforeEach(async () => {
  home = await makeWorkspace(app());
});

/** Sends a file to an operation of imports. */
async function send(path: string, body: string, query: Record<string, string>) {
  const search = new URLSearchParams({ workspacePublicId: home.publicId, ...query });
  const response = await app().fetch(
    new Request(`http://service/api/v1/imports/csv${path}?${search.toString()}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${home.admin.token}` },
      body,
    }),
  );
  return { status: response.status, body: (await response.json()) as any };
}

/** Imports a file to its end. */
async function bring(body: string, query: Record<string, string> = {}): Promise<any> {
  const sent = await send("", body, { boardName: "Cards", ...query });
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body));
  await runDue(app().deps);
  return read(home, sent.body.publicId);
}

async function exported(board: string): Promise<string> {
  const url = `http://service/api/v1/boards/${board}/cards.csv?archived=true`;
  const headers = { Authorization: `Bearer ${home.admin.token}` };
  const response = await app().fetch(new Request(url, { headers }));
  return Buffer.from(await response.arrayBuffer()).toString("utf8");
}

/** The fields of a board, and the values of its first list's cards by the names of fields. */
async function fieldsOf(board: string) {
  const { fields, lists } = await boardOf(home, board);
  const all = fields.flatMap(({ options }: any) => options);
  const options = new Map(all.map((one: any) => [one.publicId, one.name]));
  const nameOf = (value: any) => options.get(value) ?? value;
  const values = [];
  for (const { publicId } of lists[0].cards) {
    const { body } = await home.admin.rest.get(`/cards/${publicId}`);
    const shown = fields.flatMap((field: any) => {
      const value = body.fields[field.publicId];
      if (value === undefined) return [];
      return [[field.name, Array.isArray(value) ? value.map(nameOf).toSorted() : nameOf(value)]];
    });
    values.push(Object.fromEntries(shown));
  }
  return { types: fields.map(({ name, type }: any) => `${name}: ${type}`), values };
}

/** The lines of a file without numbers, ids and times. */
const linesOf = (csv: string) =>
  csv.replaceAll(/^"[A-Z0-9]+-\d+"/gm, "number").replaceAll(/"[a-z0-9]{12}"/g, "id");

test("our own CSV comes back equal in fields of every type", async () => {
  const { rest } = home.admin;
  const made = await rest.post(`/workspaces/${home.publicId}/boards`, { name: "B", lists: ["L"] });
  const { publicId } = made.body;
  const listPublicId = (await rest.get(`/boards/${publicId}`)).body.lists[0].publicId;
  const options = [{ name: "Small" }, { name: "a, b" }, { name: 'say "hi"; now' }];
  const ids: Record<string, any> = {};
  for (const [name, type, more] of [
    ["Customer (old)", "text", {}],
    ["Effort", "number", { unit: "h" }],
    ["Launch", "date", {}],
    ["Approved", "checkbox", {}],
    ["Size", "select", { options }],
    ["Tags", "multiSelect", { options }],
    ["Site", "url", {}],
    ["Size", "text", {}],
  ] as const) {
    const { body } = await rest.post(`/boards/${publicId}/fields`, { name, type, ...more });
    ids[`${name} ${type}`] = body;
  }
  const of = (name: string) => ids[name].publicId;
  const option = (name: string, nth: number) => ids[name].options[nth].publicId;
  const values = [
    {
      [of("Customer (old) text")]: '=1+1, "quoted"\nand a line',
      [of("Effort number")]: -2.5,
      [of("Launch date")]: "2026-03-13T16:00:00.000Z",
      [of("Approved checkbox")]: true,
      [of("Size select")]: option("Size select", 0),
      [of("Tags multiSelect")]: [0, 1, 2].map((nth) => option("Tags multiSelect", nth)),
      [of("Site url")]: "https://example.com/?a=1",
      [of("Size text")]: "'plain",
    },
    {
      [of("Effort number")]: 0,
      [of("Approved checkbox")]: false,
      [of("Size select")]: option("Size select", 2),
      [of("Tags multiSelect")]: [option("Tags multiSelect", 1)],
    },
    {},
  ];
  for (const [nth, fields] of values.entries()) {
    const input = { listPublicId, title: `Card ${nth}`, fields, position: "end" };
    const { status, body } = await rest.post("/cards", {
      ...input,
      labelPublicIds: [],
      memberPublicIds: [],
    });
    expect(status, JSON.stringify(body)).toBe(200);
  }
  const file = await exported(publicId);
  const done = await bring(file);
  expect(done).toMatchObject({ status: "completed", error: null });
  expect(new Set(done.issues.map(({ kind }: any) => kind))).toEqual(new Set(["column"]));
  expect(addsUp(done)).toBe(true);
  expect(done.counts).toMatchObject({
    field: { created: 8 },
    cardField: { found: 12, created: 12 },
  });
  const copy = done.boards[0].publicId;
  expect(await fieldsOf(copy)).toEqual(await fieldsOf(publicId));
  expect(linesOf(await exported(copy))).toBe(linesOf(file));
  const again = await bring(file);
  for (const { created } of Object.values<any>(again.counts)) expect(created).toBe(0);
});

const file =
  "Task,Points,Stage,Teams,Ready,Start on,Link\n" +
  'One,5,Alpha,"Red; Blue",yes,13/4/2026,https://example.com\n' +
  "Two,many,Beta,Red,perhaps,3/4/2026,here\n";
const fields = JSON.stringify({
  Points: "number",
  Stage: "select",
  Teams: "multiSelect",
  Ready: "checkbox",
  "Start on": "date",
  Link: "url",
});

test("columns become fields of the types that are chosen; wrong values are reported with their line", async () => {
  const shown = await send("/preview", file, { titleColumn: "Task", fields });
  expect(shown.body.columns.map(({ target }: any) => target)).toEqual([
    "title",
    "fields.Points (number)",
    "fields.Stage (select)",
    "fields.Teams (multiSelect)",
    "fields.Ready (checkbox)",
    "fields.Start on (date)",
    "fields.Link (url)",
  ]);
  expect(shown.body.cards.map(({ issues }: any) => issues.length)).toEqual([0, 3]);
  const done = await bring(file, { titleColumn: "Task", fields });
  const board = await fieldsOf(done.boards[0].publicId);
  expect(board.types).toEqual([
    "Points: number",
    "Stage: select",
    "Teams: multiSelect",
    "Ready: checkbox",
    "Start on: date",
    "Link: url",
  ]);
  // The date of the first card decides the order of the second one's.
  expect(board.values).toEqual([
    {
      Points: 5,
      Stage: "Alpha",
      Teams: ["Blue", "Red"],
      Ready: true,
      "Start on": "2026-04-13",
      Link: "https://example.com",
    },
    { Stage: "Beta", Teams: ["Red"], "Start on": "2026-04-03" },
  ]);
  expect(done.counts.cardField).toMatchObject({ found: 12, created: 9, leftOut: 3 });
  const reasons = done.issues.map(({ name, reason }: any) => `${name}: ${reason}`);
  expect(reasons.toSorted()).toEqual([
    "Two: The field expects a number: Points: many (line 3)",
    "Two: The field expects an http or https URL: Link: here (line 3)",
    "Two: The field expects true or false: Ready: perhaps (line 3)",
  ]);
});

test.each([
  ["no JSON", "Points:number", /Must be JSON/],
  ["an unknown type", '{"Points":"decimal"}', /text|Invalid option/],
  ["no such column", '{"Effort":"number"}', /no column “Effort”/],
])("is 400 for %s", async (_, given, message) => {
  const { status, body } = await send("", file, {
    boardName: "Cards",
    titleColumn: "Task",
    fields: given,
  });
  expect([status, body.issues[0].path[0]]).toEqual([400, "fields"]);
  expect(body.issues[0].message).toMatch(message);
});
