import { afterAll, beforeAll, expect, test } from "vitest";
import { runDue } from "../../support/jobs.ts";
import { saveGrant } from "../../../src/transfer/integrations/grant.ts";
import { startApp, type App } from "../../support/app.ts";
import { startGitHub, type FakeGitHub } from "../../support/github.ts";
import { graphqlTimeout, rateLimited, secondaryLimit } from "../../support/github-faults.ts";
import { describeProject, type Described } from "../../support/github-project.ts";
import { join, makeWorkspace, type User, type Workspace } from "../../support/make.ts";
import { htmlPage } from "../../support/stand-in.ts";
import { boardOf, read } from "./importing.ts";

let app: App;
let github: FakeGitHub;

beforeAll(async () => {
  github = await startGitHub();
  app = await startApp({
    env: {
      GITHUB_CLIENT_ID: github.clientId,
      GITHUB_CLIENT_SECRET: github.clientSecret,
      GITHUB_URL: github.url,
      GITHUB_API_URL: github.apiUrl,
    },
  });
});
afterAll(async () => {
  await app.close();
  await github.stop();
  if (app.errors.length > 0) throw new Error(app.errors.join("\n"));
});

/** Connects a user's account at GitHub. Returns the token. */
async function connect(user: User, account: string, scopes = ["read:org", "read:project", "repo"]) {
  const { id } = await app.db.reader.user.findUniqueOrThrow({ where: { email: user.email } });
  const accessToken = github.grant(scopes);
  const forEver = { expiresIn: null, refreshToken: null, refreshTokenExpiresIn: null };
  await saveGrant(app.deps, id, { accessToken, scopes, ...forEver }, account);
  return accessToken;
}

const ask = (home: Workspace, ...projectIds: string[]) =>
  home.admin.rest.post("/imports/github/projects", {
    workspacePublicId: home.publicId,
    projectIds,
  });

async function bring(home: Workspace, ...projectIds: string[]) {
  const { status, body } = await ask(home, ...projectIds);
  expect(status, JSON.stringify(body)).toBe(200);
  await runDue(app.deps);
  return read(home, body.publicId);
}

const plain = (more: Partial<Described> = {}): Described => ({
  id: "PVT_one",
  title: "Roadmap",
  single: { Status: ["Todo", "In progress", "Done"] },
  items: [],
  ...more,
});

/** The titles of a board's cards, list by list. */
const shape = (board: any) =>
  board.lists.map((list: any) => [list.name, list.cards.map((card: any) => card.title)]);

test("a project is imported: lists in the order of its statuses, items of all pages in theirs", async () => {
  const home = await makeWorkspace(app);
  await connect(home.admin, "octocat");
  const statuses = ["Done", "Todo", "In progress"];
  const items = Array.from({ length: 130 }, (_, nth) => ({
    id: `PVTI_${nth}`,
    kind: (["Issue", "PullRequest", "DraftIssue"] as const)[nth % 3] ?? "Issue",
    title: `Item ${nth}`,
    ...(nth % 10 === 9 ? {} : { status: statuses[nth % 3] ?? "" }),
  }));
  github.account.projects = [
    describeProject(plain({ items, shortDescription: "Where we go", readme: "# More" })),
  ];
  const done = await bring(home, "PVT_one");
  expect(done).toMatchObject({ source: "github", status: "completed", error: null });
  const board = await boardOf(home, done.boards[0].publicId);
  expect(board).toMatchObject({ name: "Roadmap", description: "Where we go\n\n# More" });
  const of = (status?: string) =>
    items.filter((one: { status?: string }) => one.status === status).map(({ title }) => title);
  expect(shape(board)).toEqual([
    ["No status", of()],
    ["Todo", of("Todo")],
    ["In progress", of("In progress")],
    ["Done", of("Done")],
  ]);
  expect(done.counts).toMatchObject({ card: { found: 130, created: 130 } });
  const again = await bring(home, "PVT_one");
  expect(again.counts.card).toMatchObject({ created: 0, alreadyThere: 130 });
});

test("the texts of a project count for the day of the starter, and the import continues", async () => {
  const home = await makeWorkspace(app);
  await connect(home.admin, "octocat");
  const kind = "DraftIssue" as const;
  const body = "x".repeat(5_000);
  github.account.projects = [
    describeProject(plain({ items: [{ id: "I1", kind, title: "One", status: "Todo", body }] })),
  ];
  const { id } = await app.db.reader.user.findUniqueOrThrow({ where: { email: home.admin.email } });
  const { limits, config } = app.deps;
  const rest = config.TEXT_PER_DAY * 1024 * 1024 - 4_000;
  await limits.texts.spend(String(id), rest);
  const failed = await bring(home, "PVT_one");
  expect(failed).toMatchObject({
    status: "failed",
    error: expect.stringContaining("reached its daily limit"),
  });
  await limits.texts.refund(String(id), rest);
  const done = await bring(home, "PVT_one");
  expect(done).toMatchObject({ status: "completed", counts: { card: { created: 1 } } });
  // It has counted once.
  await expect(limits.texts.spend(String(id), rest)).rejects.toThrow();
});

test("an organisation's project has the columns of its board", async () => {
  const home = await makeWorkspace(app);
  await connect(home.admin, "octocat");
  const items = [
    { id: "I1", kind: "DraftIssue" as const, title: "One", status: "Done", values: { Team: "B" } },
    { id: "I2", kind: "DraftIssue" as const, title: "Two", values: { Team: "A" } },
  ];
  const project = plain({
    id: "PVT_org",
    single: { Status: ["Todo", "Done"], Team: ["A", "B"] },
    columns: "Team",
    items,
  });
  github.account.organizations = [{ login: "github", projects: [describeProject(project)] }];
  const done = await bring(home, "PVT_org");
  expect(shape(await boardOf(home, done.boards[0].publicId))).toEqual([
    ["A", ["Two"]],
    ["B", ["One"]],
  ]);
  // The field that is not its columns is a field of the cards.
  const { fields, lists } = await boardOf(home, done.boards[0].publicId);
  expect(fields).toMatchObject([{ name: "Status", type: "select", isShownOnCard: true }]);
  const [todo, finished] = fields[0].options;
  expect([todo.name, finished.name]).toEqual(["Todo", "Done"]);
  expect(lists[1].cards[0].fields).toEqual({ [fields[0].publicId]: finished.publicId });
  expect(done.issues).toEqual([]);
});

/** When the cards of a workspace were completed. */
const completedIn = async ({ publicId }: Workspace) => {
  const where = { list: { workspace: { publicId } } };
  const rows = await app.db.reader.card.findMany({ where, orderBy: { number: "asc" } });
  return rows.map(({ completedAt }) => completedAt?.toISOString() ?? null);
};

test("cards are completed, and a board is archived, when GitHub closed them; else the report says so", async () => {
  const home = await makeWorkspace(app);
  await connect(home.admin, "octocat");
  const at = (year: number) => `${year}-05-06T07:08:09.000Z`;
  const issue = { id: "I1", kind: "Issue" as const, title: "A", state: "CLOSED" as const };
  const merged = { id: "I2", kind: "PullRequest" as const, title: "B", state: "MERGED" as const };
  const items = [
    { ...issue, status: "Todo", closedAt: at(2019) },
    { ...merged, status: "Todo", closedAt: at(2020), mergedAt: at(2018) },
    { ...issue, id: "I3", title: "C", status: "Todo", closedAt: null },
  ];
  github.account.projects = [describeProject(plain({ items, closed: true, closedAt: at(2022) }))];
  const before = app.deps.clock().getTime();
  const done = await bring(home, "PVT_one");
  const [first, second, third] = await completedIn(home);
  expect([first, second]).toEqual([at(2019), at(2018)]);
  expect(Date.parse(third ?? "")).toBeGreaterThanOrEqual(before);
  const board = await app.db.reader.board.findUniqueOrThrow({
    where: { publicId: done.boards[0].publicId },
  });
  expect(board.archivedAt?.toISOString()).toBe(at(2022));
  const said = done.issues.filter(({ reason }: any) => reason.includes("does not say when"));
  expect(said).toMatchObject([{ kind: "card", name: "C", severity: "partial" }]);
});

test("an issue is imported with its text, link, labels, assignees, dates and state; the rest is reported", async () => {
  const home = await makeWorkspace(app);
  await connect(home.admin, "octocat");
  const friend = await join(app, home, "member");
  await connect(friend, "Hubot");
  const item = {
    id: "I1",
    kind: "Issue" as const,
    title: "It breaks",
    body: "**Always**",
    status: "Todo",
    state: "CLOSED" as const,
    archived: true,
    assignees: ["hubot", "stranger"],
    labels: [
      { name: "bug", color: "d73a4a" },
      { name: "Bug", color: "d73a4a" },
      { name: "x".repeat(50), color: "zzz" },
    ],
    milestone: { title: "v1", dueOn: "2026-07-01T00:00:00Z" },
    comments: 3,
    values: { "Due date": "2026-06-01", Start: "2026-05-01", Estimate: 5, Notes: "Hard" },
  };
  const draft = { id: "I2", kind: "DraftIssue" as const, title: "An idea", status: "Todo" };
  const late = {
    id: "I3",
    kind: "PullRequest" as const,
    title: "A change",
    state: "MERGED" as const,
    status: "Todo",
    milestone: { title: "v2", dueOn: "2026-08-01T00:00:00Z" },
  };
  const fields = ["Due date", "Start", "Estimate", "Notes"];
  github.account.projects = [describeProject(plain({ fields, items: [item, draft, late] }))];
  const done = await bring(home, "PVT_one");
  const { lists, labels } = await boardOf(home, done.boards[0].publicId);
  const cards = [];
  for (const { publicId } of lists[0].cards)
    cards.push((await home.admin.rest.get(`/cards/${publicId}`)).body);
  expect(labels.map(({ name, colourCode }: any) => [name, colourCode])).toEqual([
    ["bug", "#d73a4a"],
    ["x".repeat(36), null],
  ]);
  expect(cards).toMatchObject([
    {
      title: "It breaks",
      description: "**Always**\n\nAssignees at GitHub: @stranger",
      dueDate: "2026-06-01T00:00:00.000Z",
      startDate: "2026-05-01T00:00:00.000Z",
      isComplete: true,
      isArchived: true,
      createdAt: "2025-02-03T04:05:06.000Z",
      updatedAt: "2025-04-05T06:07:08.000Z",
      members: [{ publicId: friend.memberPublicId }],
      labels: [{ name: "bug" }, {}],
      attachments: [
        {
          kind: "link",
          filename: "octocat/hello#1",
          url: "https://github.com/octocat/hello/issues/1",
        },
      ],
    },
    { title: "An idea", isComplete: false, attachments: [], dueDate: null },
    { title: "A change", isComplete: true, dueDate: "2026-08-01T00:00:00.000Z" },
  ]);
  const times = await completedIn(home);
  expect(times).toEqual(["2021-05-06T07:08:09.000Z", null, "2021-05-06T07:08:09.000Z"]);
  const said = done.issues.map(({ kind, reason, count }: any) => [kind, count, reason]);
  expect(said).toEqual(
    expect.arrayContaining([
      ["cardMember", 1, expect.stringContaining("No member here has connected")],
      ["comment", 3, expect.stringContaining("stay at GitHub")],
      ["milestone", 1, "Milestones are not supported: v1"],
    ]),
  );
});

test("a field of each type comes over with its values, and counts add up", async () => {
  const home = await makeWorkspace(app);
  await connect(home.admin, "octocat");
  const kind = "DraftIssue" as const;
  const all = {
    Priority: "High",
    Estimate: 0.5,
    Review: "2026-06-01",
    Notes: "x".repeat(1_000),
    Sprint: "Sprint 4",
  };
  const items = [
    { id: "I1", kind, title: "All", status: "Todo", values: { ...all, Target: "2026-07-01" } },
    { id: "I2", kind, title: "Some", status: "Todo", values: { Priority: "Low", Estimate: 0 } },
    { id: "I3", kind, title: "Long", status: "Todo", values: { Notes: "x".repeat(1_001) } },
  ];
  const project = plain({
    single: { Status: ["Todo", "Done"], Priority: ["High", "Low"] },
    fields: ["Estimate", "Review", "Notes", "Target"],
    iterations: ["Sprint"],
    items,
  });
  github.account.projects = [describeProject(project)];
  const done = await bring(home, "PVT_one");
  const { fields, lists } = await boardOf(home, done.boards[0].publicId);
  expect(fields.map(({ name, type }: any) => `${name} ${type}`)).toEqual([
    "Estimate number",
    "Review date",
    "Notes text",
    "Sprint text",
    "Priority select",
  ]);
  const idOf = (name: string) => fields.find((one: any) => one.name === name).publicId;
  const options = fields.at(-1).options;
  expect(options).toMatchObject([
    { name: "High", colourCode: "#59636e" },
    { name: "Low", colourCode: "#0969da" },
  ]);
  expect(lists[0].cards[0].dueDate).toBe("2026-07-01T00:00:00.000Z");
  expect(lists[0].cards.map((one: any) => one.fields)).toEqual([
    {
      [idOf("Priority")]: options[0].publicId,
      [idOf("Estimate")]: 0.5,
      [idOf("Review")]: "2026-06-01",
      [idOf("Notes")]: all.Notes,
      [idOf("Sprint")]: "Sprint 4",
    },
    { [idOf("Priority")]: options[1].publicId, [idOf("Estimate")]: 0 },
    {},
  ]);
  expect(done.counts).toMatchObject({
    field: { found: 5, created: 5 },
    fieldOption: { found: 2, created: 2 },
    cardField: { found: 8, created: 7, leftOut: 1 },
  });
  expect(done.issues).toMatchObject([
    {
      kind: "cardField",
      name: "Long",
      reason: expect.stringMatching(/1,000 characters: Notes: x/),
    },
  ]);
  const again = await bring(home, "PVT_one");
  expect(again.counts.cardField).toMatchObject({ found: 8, alreadyThere: 7, leftOut: 1 });
});

test("issues of private repositories are imported with the scope repo; without it they are reported", async () => {
  const home = await makeWorkspace(app);
  const items = [
    { id: "I1", kind: "Issue" as const, title: "Open", status: "Todo" },
    { id: "I2", kind: "Issue" as const, title: "Hidden", status: "Todo", isPrivate: true },
  ];
  github.account.projects = [describeProject(plain({ items }))];
  await connect(home.admin, "octocat", ["read:org", "read:project"]);
  const without = await bring(home, "PVT_one");
  expect(without.counts.card).toMatchObject({ found: 2, created: 1, leftOut: 1 });
  expect(without.issues).toMatchObject([{ kind: "card", sourceId: "I2" }]);
  await connect(home.admin, "octocat");
  const withIt = await bring(home, "PVT_one");
  expect(withIt.counts.card).toMatchObject({ created: 1, alreadyThere: 1 });
  const board = await home.admin.rest.get(`/workspaces/${home.publicId}/boards`);
  expect(board.body.items).toHaveLength(1);
});

test("is 403 without a connection, and fails with instructions when the connection was revoked", async () => {
  const home = await makeWorkspace(app);
  const refused = await ask(home, "PVT_one");
  expect([refused.status, refused.body.issues[0].code]).toEqual([403, "github_not_connected"]);
  const token = await connect(home.admin, "octocat");
  github.account.projects = [describeProject(plain())];
  const { body } = await ask(home, "PVT_one");
  github.revoke(token);
  await runDue(app.deps);
  expect(await read(home, body.publicId)).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/refused the stored connection.*integration\/authorize/),
  });
});

test("an import waits for GitHub's limits and repeats failed requests", async () => {
  const home = await makeWorkspace(app);
  await connect(home.admin, "octocat");
  const items = [{ id: "I1", kind: "DraftIssue" as const, title: "One", status: "Todo" }];
  github.account.projects = [describeProject(plain({ items }))];
  const { body } = await ask(home, "PVT_one");
  github.failNext(graphqlTimeout, htmlPage(502), secondaryLimit(403, "1"));
  await runDue(app.deps);
  expect((await read(home, body.publicId)).status).toBe("queued");
  app.advance(1_000);
  github.failNext(rateLimited(600));
  await runDue(app.deps);
  expect((await read(home, body.publicId)).status).toBe("queued");
  app.advance(601_000);
  await runDue(app.deps);
  expect(await read(home, body.publicId)).toMatchObject({
    status: "completed",
    counts: { card: { created: 1 } },
  });
});

test("a missing project is reported", async () => {
  const home = await makeWorkspace(app);
  await connect(home.admin, "octocat");
  const issue = { id: "I_1", title: "An issue", node: () => ({ __typename: "Issue" }) };
  github.account.projects = [issue];
  for (const id of ["PVT_nowhere", issue.id]) {
    expect(await bring(home, id)).toMatchObject({
      status: "completed",
      counts: { board: { created: 0, leftOut: 1 } },
    });
  }
});

test("what GitHub does not return, or in an unknown form, is reported", async () => {
  const home = await makeWorkspace(app);
  await connect(home.admin, "octocat");
  const fields = Array.from({ length: 110 }, (_, nth) => `Field ${nth}`);
  const labels = fields.map((name) => ({ name, color: "d73a4a" }));
  const values = Object.fromEntries(fields.map((name) => [name, 1]));
  const items = [
    { id: "I1", kind: "Issue" as const, title: "One", labels, values, hasPullRequests: true },
    { id: "I2", kind: "Issue" as const, title: "Denied" },
  ];
  const project = describeProject(plain({ fields, items }));
  const node = (scopes: string[]): any => {
    const whole: any = project.node?.(scopes);
    const page = (args: object) => {
      const { nodes, ...more } = whole.items(args);
      return { ...more, nodes: nodes.map((one: any) => (one.id === "I2" ? null : one)) };
    };
    return { ...whole, items: page };
  };
  github.account.projects = [{ ...project, node }];
  const done = await bring(home, "PVT_one");
  const lost = done.issues.flatMap(({ kind, count, reason }: any) =>
    /Field \d+: 1$|at most 50 custom/.test(reason) ? [] : [`${count} ${kind}: ${reason}`],
  );
  const reason = "GitHub did not return it in a form that this service knows.";
  expect(lost.toSorted()).toEqual([
    "1 card: " + reason,
    "1 cardField: The field is not supported: PullRequest",
    "13 cardField: " + reason,
    "13 field: " + reason,
    "60 cardLabel: " + reason,
  ]);
});

test("names and texts that are too long are cut, and the report says so", async () => {
  const home = await makeWorkspace(app);
  await connect(home.admin, "octocat");
  const [column, name] = ["c".repeat(300), "n".repeat(300)];
  const items = [{ id: "I1", kind: "DraftIssue" as const, title: "t".repeat(2_100) }];
  const project = plain({
    title: name,
    single: { Status: [column] },
    items,
    readme: "r".repeat(10_001),
  });
  github.account.projects = [describeProject(project)];
  const done = await bring(home, "PVT_one");
  expect(done.issues.map(({ kind, reason }: any) => `${kind}: ${reason}`).toSorted()).toEqual([
    "board: The description of the board was cut to 10,000 characters.",
    "board: The name was cut to 255 characters.",
    "card: The title was cut to 2,000 characters: the description has all of it.",
    "list: The name was cut to 255 characters.",
  ]);
});

test.each([false, true])(
  "parents and blockers of issues are relations over projects; a server that lacks them (%s) has none",
  async (isOld) => {
    const home = await makeWorkspace(app);
    const projects = ["PVT_a", "PVT_b"];
    await connect(home.admin, "octocat");
    const issue = (id: string, more: object = {}) =>
      ({ id, kind: "Issue", title: id, isOld, ...more }) as const;
    const a = [issue("one", { parent: "whole", blockedBy: ["two", "gone"] }), issue("two")];
    const b = [issue("whole", { blockedBy: ["one"] }), issue("loop", { parent: "loop" })];
    github.account.projects = [a, b].map((items, nth) =>
      describeProject(plain({ id: projects[nth] ?? "", title: `P${nth}`, items })),
    );
    const done = await bring(home, ...projects);
    expect(done).toMatchObject({ status: "completed" });
    const shown: Record<string, string[]> = {};
    for (const { publicId } of done.boards)
      for (const { cards } of (await boardOf(home, publicId)).lists)
        for (const card of cards) {
          const { body } = await home.admin.rest.get(`/cards/${card.publicId}`);
          shown[body.title] = body.relations.map(
            ({ kind, card: to }: any) => `${kind} ${to.title}`,
          );
        }
    expect(shown).toEqual(
      isOld
        ? { one: [], two: [], whole: [], loop: [] }
        : {
            one: ["child whole", "blocks whole", "blockedBy two"],
            two: ["blocks one"],
            whole: ["parent one", "blockedBy one"],
            loop: [],
          },
    );
    const lines = done.issues.map(({ reason }: any) => reason);
    expect(lines.filter((reason: string) => reason.includes("not in the projects"))).toHaveLength(
      isOld ? 0 : 1,
    );
    for (const { found, created, alreadyThere, leftOut } of Object.values<any>(done.counts))
      expect(found).toBe(created + alreadyThere + leftOut);
  },
);
