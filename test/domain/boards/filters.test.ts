import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import {
  join,
  makeBoard,
  makeWorkspace,
  type Board,
  type User,
  type Workspace,
} from "../../support/make.ts";

const app = useApp();
let workspace: Workspace;
let admin: User;
let other: Awaited<ReturnType<typeof join>>;
let board: Board;
let elsewhere: Board;
let me: string;

type Shown = { name: string; cardCount: number; cards: { title: string; index: number | null }[] };

/**
 * Cards: `both` is on everything, `mine` on me and the first label, `hers` on the other member,
 * `bare` on nothing, `old` is archived.
 */
beforeAll(async () => {
  workspace = await makeWorkspace(app());
  ({ admin } = workspace);
  other = await join(app(), workspace, "member");
  board = await makeBoard(workspace, { lists: ["One", "Two", "Shelf"], labels: 3 });
  elsewhere = await makeBoard(workspace);
  me = (await admin.rest.get(`/workspaces/${workspace.publicId}`)).body.memberPublicId;
  const [first = "", second = ""] = board.labels;
  const [one = "", two = "", shelf = ""] = board.lists;
  const card = async (listPublicId: string, title: string, members: string[], labels: string[]) => {
    const relations = { memberPublicIds: members, labelPublicIds: labels };
    const { body } = await admin.rest.post("/cards", { title, listPublicId, ...relations });
    return String(body.publicId);
  };
  await card(one, "bare", [], []);
  const old = await card(one, "old", [me], [first]);
  await card(one, "both", [me, other.memberPublicId], [first, second]);
  await card(one, "mine", [me], [first]);
  await card(two, "hers", [other.memberPublicId], [second]);
  await card(shelf, "shelved", [me], []);
  await admin.rest.put(`/cards/${old}`, { isArchived: true });
  await admin.rest.put(`/lists/${shelf}`, { isArchived: true });
});

const shown = (lists: Shown[]) =>
  Object.fromEntries(lists.map((list) => [list.name, list.cards.map(({ title }) => title)]));

async function get(query: string): Promise<Record<string, string[]>> {
  const { status, body } = await admin.rest.get(`/boards/${board.publicId}?${query}`);
  expect(status).toBe(200);
  return shown(body.lists);
}

async function cards(query: string): Promise<string[]> {
  const { status, body } = await admin.rest.get(`/boards/${board.publicId}/cards?${query}`);
  expect(status).toBe(200);
  return body.items.map(({ title }: { title: string }) => title);
}

describe("the filters of board.get and board.cards", () => {
  const cases = (): [string, string, Record<string, string[]>][] => [
    ["members", me, { One: ["both", "mine"], Two: [] }],
    ["members", `${me},${other.memberPublicId}`, { One: ["both", "mine"], Two: ["hers"] }],
    ["labels", board.labels[1] ?? "", { One: ["both"], Two: ["hers"] }],
    ["labels", board.labels.slice(0, 2).join(), { One: ["both", "mine"], Two: ["hers"] }],
    ["lists", board.lists[1] ?? "", { Two: ["hers"] }],
  ];

  test.each([0, 1, 2, 3, 4])("let through what has any of those named (%i)", async (nth) => {
    const [field = "", ids = "", expected = {}] = cases()[nth] ?? [];
    expect(await get(`${field}=${ids}`)).toEqual(expected);
    expect(await cards(`${field}=${ids}`)).toEqual(Object.values(expected).flat());
  });

  test("hold all at once", async () => {
    const query = `members=${other.memberPublicId}&labels=${board.labels[1]}&lists=${board.lists[0]}`;
    expect(await get(query)).toEqual({ One: ["both"] });
    expect(await cards(query)).toEqual(["both"]);
  });

  test("a filter that matched nothing and returned everything", async () => {
    const unassigned = (await join(app(), workspace, "guest")).memberPublicId;
    const stranger = await makeWorkspace(app());
    const foreign = await makeBoard(stranger);
    const theirs = (await stranger.admin.rest.get(`/workspaces/${stranger.publicId}`)).body
      .memberPublicId;
    for (const query of [
      `members=${unassigned}`,
      `members=${theirs}`,
      `labels=${board.labels[2]}`,
      `labels=${elsewhere.labels[0]}`,
      `labels=${foreign.labels[0]}`,
      "labels=thereisnosuch",
      `lists=${elsewhere.lists[0]}`,
      `lists=${foreign.lists[0]}`,
      `members=${me}&lists=${board.lists[1]}`,
      "due=overdue",
    ]) {
      expect(Object.values(await get(query)).flat(), query).toEqual([]);
      expect(await cards(query), query).toEqual([]);
      const { body } = await admin.rest.get(`/boards/${board.publicId}?${query}`);
      expect(
        body.lists.map((list: Shown) => list.cardCount),
        query,
      ).toEqual(body.lists.map(() => 0));
    }
    expect(await get(`lists=${elsewhere.lists[0]}`)).toEqual({});
  });

  test("must not be empty: that could mean all or nothing", async () => {
    for (const path of [`/boards/${board.publicId}`, `/boards/${board.publicId}/cards`]) {
      for (const field of ["members", "labels", "lists"]) {
        expect(await admin.rest.get(`${path}?${field}=`)).toMatchObject({
          status: 400,
          body: { issues: [{ path: [field] }] },
        });
      }
      expect((await admin.rest.get(`${path}?lists=short`)).status).toBe(400);
      expect((await admin.rest.get(`${path}?due=someday`)).status).toBe(400);
      expect((await admin.rest.get(`${path}?archived=yes`)).status).toBe(400);
    }
  });

  test("archived=false read as true", async () => {
    const without = { One: ["bare", "both", "mine"], Two: ["hers"] };
    expect(await get("")).toEqual(without);
    expect(await get("archived=false")).toEqual(without);
    expect(await get("archived=true")).toEqual({
      One: ["bare", "old", "both", "mine"],
      Two: ["hers"],
      Shelf: ["shelved"],
    });
    expect(await cards("archived=false")).toEqual(["bare", "both", "mine", "hers"]);
    expect(await cards("archived=true")).toEqual([
      "bare",
      "old",
      "both",
      "mine",
      "hers",
      "shelved",
    ]);
  });

  test("do not change a card's index among all that are not archived", async () => {
    const { body } = await admin.rest.get(`/boards/${board.publicId}?archived=true&members=${me}`);
    const indexes = body.lists.map((list: Shown) =>
      list.cards.map(({ title, index }) => [title, index]),
    );
    expect(indexes).toEqual([
      [
        ["old", null],
        ["both", 1],
        ["mine", 2],
      ],
      [],
      [["shelved", 0]],
    ]);
    const page = await admin.rest.get(
      `/boards/${board.publicId}/cards?archived=true&members=${me}`,
    );
    expect(page.body.items).toMatchObject(body.lists.flatMap((list: Shown) => list.cards));
  });

  test("over tRPC as over REST", async () => {
    const input = { boardPublicId: board.publicId, members: [me], cardLimit: 1 };
    const { lists } = await admin.trpc.board.get.query(input);
    expect(shown(lists)).toEqual({ One: ["both"], Two: [] });
    const { items } = await admin.trpc.board.cards.query({
      boardPublicId: board.publicId,
      members: [me],
    });
    expect(items.map(({ title }) => title)).toEqual(["both", "mine"]);
  });
});

describe("cardLimit", () => {
  test("limits the cards of every list; cardCount has the total", async () => {
    const { body } = await admin.rest.get(`/boards/${board.publicId}?cardLimit=2`);
    expect(shown(body.lists)).toEqual({ One: ["bare", "both"], Two: ["hers"] });
    expect(body.lists.map((list: Shown) => list.cardCount)).toEqual([3, 1]);
  });

  test("counts what the filters let through", async () => {
    const { body } = await admin.rest.get(`/boards/${board.publicId}?cardLimit=1&members=${me}`);
    expect(shown(body.lists)).toEqual({ One: ["both"], Two: [] });
    expect(body.lists.map((list: Shown) => list.cardCount)).toEqual([2, 0]);
  });

  test.each([0, -1, 1.5, "x"])("is no %s", async (limit) => {
    expect((await admin.rest.get(`/boards/${board.publicId}?cardLimit=${limit}`)).status).toBe(400);
  });
});
