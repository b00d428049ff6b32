import { describe, expect, test } from "vitest";
import { upload } from "../../domain/attachments/files.ts";
import { useApp, type Reply } from "../../support/app.ts";
import { tally } from "../access/membership.ts";
import { join, makeBoard, makeCard, makeUser, makeWorkspace } from "../../support/make.ts";
import { insertChecklist } from "../../support/state.ts";

const app = useApp({
  env: {
    LIMITS:
      "boards=2,members=3,webhooks=1,roles=4,lists=3,archived_lists=2,labels=2,cards=4,checklists=2,checklist_items=2,attachments=2,views=2,private_views=1",
  },
});

function expectFull(reply: Reply, message: string) {
  expect(reply.body).toMatchObject({ code: "CONFLICT", issues: [{ message }] });
  expect(reply.status).toBe(409);
}

const full = {
  boards: "A workspace has at most 2 boards, including archived ones.",
  members: "A workspace has at most 3 members, including invited ones.",
  lists: "A board has at most 3 lists that are not archived.",
  labels: "A board has at most 2 labels.",
  cards: "A board has at most 4 cards, including archived ones.",
  checklists: "A card has at most 2 checklists.",
  items: "A checklist has at most 2 items.",
  views: "A workspace has at most 2 views that are not private.",
  privateViews: "A member has at most 1 private views.",
  attachments: "A card has at most 2 attachments.",
};

async function scene(options?: Parameters<typeof makeBoard>[1]) {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const board = await makeBoard(workspace, options);
  const [list = "", other = ""] = board.lists;
  const addCard = (listPublicId = list, more: object = {}) =>
    admin.rest.post("/cards", { title: "Card", listPublicId, ...more });
  const fill = async (count: number, listPublicId = list) => {
    const cards: string[] = [];
    for (let nth = 0; nth < count; nth++) cards.push(await makeCard(admin, listPublicId));
    return cards;
  };
  const home = `/workspaces/${workspace.publicId}`;
  return { workspace, admin, rest: admin.rest, board, list, other, addCard, fill, home };
}

test("views are refused past the limit when one is saved or copied with its board", async () => {
  const { rest, board, home } = await scene();
  const save = (more: object) => rest.post(`${home}/views`, { name: "A view", ...more });
  const { publicId: boardPublicId } = board;
  expect((await save({ scope: "private" })).status).toBe(200);
  expectFull(await save({ scope: "private" }), full.privateViews);
  expect((await save({ scope: "board", boardPublicId })).status).toBe(200);
  expect((await save({ scope: "workspace" })).status).toBe(200);
  expectFull(await save({ scope: "board", boardPublicId }), full.views);
  expectFull(
    await rest.post(`${home}/boards`, { name: "Copy", sourceBoardPublicId: boardPublicId }),
    full.views,
  );
});

describe("boards of a workspace", () => {
  test("are refused past the limit when one is made, copied, restored or moved in", async () => {
    const { workspace, rest, board, home } = await scene();
    const second = await makeBoard(workspace);
    expectFull(await rest.post(`${home}/boards`, { name: "Third" }), full.boards);
    expectFull(
      await rest.post(`${home}/boards`, { name: "Copy", sourceBoardPublicId: board.publicId }),
      full.boards,
    );
    await rest.delete(`/boards/${second.publicId}`);
    await makeBoard(workspace);
    expectFull(await rest.post(`/boards/${second.publicId}/restore`), full.boards);
    const elsewhere = await makeBoard(await makeWorkspace(app(), workspace.admin));
    expectFull(
      await rest.post(`/boards/${elsewhere.publicId}/move`, {
        workspacePublicId: workspace.publicId,
      }),
      full.boards,
    );
  });

  test("do not exceed the limit when many are made at once", async () => {
    const workspace = await makeWorkspace(app());
    const path = `/workspaces/${workspace.publicId}/boards`;
    const names = ["a", "b", "c", "d", "e", "f"].map((name) => `Board ${name}`);
    const replies = await Promise.all(
      names.map((name) => workspace.admin.rest.post(path, { name })),
    );
    expect(tally(replies)).toEqual({ 200: 2, 409: 4 });
  });
});

describe("members of a workspace", () => {
  test("are refused past the limit when one is invited or joins by a link; invited members count", async () => {
    const { workspace, rest, home } = await scene();
    await join(app(), workspace, "member");
    const invite = (email: string) => rest.post(`${home}/members/invite`, { email });
    expect((await invite("third@example.com")).status).toBe(200);
    expect((await invite("third@example.com")).status).toBe(200);
    expectFull(await invite("fourth@example.com"), full.members);
    const { body: link } = await rest.post(`${home}/invites`, {});
    const late = await makeUser(app());
    expectFull(
      await late.rest.post("/invites/accept", { inviteCode: link.inviteCode }),
      full.members,
    );
  });
});

test("webhooks of a workspace are refused past the limit", async () => {
  const { rest, home } = await scene();
  const add = () =>
    rest.post(`${home}/webhooks`, { name: "One", url: "https://93.184.215.14/", events: ["*"] });
  expect((await add()).status).toBe(200);
  expectFull(await add(), "A workspace has at most 1 webhooks.");
});

describe("lists of a board", () => {
  test("are refused past the limit when one is created or restored, also with a board", async () => {
    const { rest, board, list, home } = await scene();
    const add = () => rest.post("/lists", { name: "Fourth", boardPublicId: board.publicId });
    expectFull(await add(), full.lists);
    await rest.delete(`/lists/${list}`);
    expect((await add()).status).toBe(200);
    expectFull(await rest.post(`/lists/${list}/restore`), full.lists);
    expectFull(
      await rest.post(`${home}/boards`, { name: "Wide", lists: ["a", "b", "c", "d"] }),
      full.lists,
    );
  });
});

describe("labels of a board", () => {
  test("are refused past the limit when one is created, also with a board or a card", async () => {
    const { workspace, admin, rest, board, home, addCard, list } = await scene({ labels: 2 });
    const label = { name: "Third", colourCode: "#abcdef" };
    expectFull(
      await rest.post("/labels", { ...label, boardPublicId: board.publicId }),
      full.labels,
    );
    expectFull(
      await rest.post(`${home}/boards`, { name: "Bright", labels: [label, label, label] }),
      full.labels,
    );
    const there = await makeBoard(workspace, { labels: 0 });
    await rest.post("/labels", { ...label, boardPublicId: there.publicId });
    const { body: card } = await addCard(list, { labelPublicIds: board.labels });
    const [target] = there.lists;
    expectFull(await rest.put(`/cards/${card.publicId}`, { listPublicId: target }), full.labels);
    expectFull(
      await rest.post(`/cards/${card.publicId}/duplicate`, { listPublicId: target }),
      full.labels,
    );
    expectFull(
      await rest.post(`/lists/${list}/move-cards`, { targetListPublicId: target }),
      full.labels,
    );
    const unchanged = await admin.rest.get(`/cards/${card.publicId}`);
    expect(unchanged.body).toMatchObject({ listPublicId: list, labels: [{}, {}] });
  });
});

describe("live cards of a board", () => {
  test("are refused past the limit when one is made, duplicated or restored", async () => {
    const { rest, fill, addCard, list } = await scene();
    const [card = ""] = await fill(4);
    expectFull(await addCard(), full.cards);
    expectFull(await rest.post(`/cards/${card}/duplicate`, {}), full.cards);
    await rest.delete(`/cards/${card}`);
    await fill(1);
    expectFull(await rest.post(`/cards/${card}/restore`), full.cards);
    expect((await rest.get(`/lists/${list}/cards`)).body.items).toHaveLength(4);
  });

  test("are refused past the limit when they move from another board, single or all at once", async () => {
    const { workspace, rest, fill, list } = await scene();
    await fill(3);
    const there = await makeBoard(workspace);
    const [from = ""] = there.lists;
    const [one = "", two = ""] = await fill(2, from);
    expectFull(
      await rest.post(`/lists/${from}/move-cards`, { targetListPublicId: list }),
      full.cards,
    );
    expect((await rest.put(`/cards/${one}`, { listPublicId: list })).status).toBe(200);
    expectFull(await rest.put(`/cards/${two}`, { listPublicId: list }), full.cards);
    expectFull(await rest.post(`/cards/${two}/duplicate`, { listPublicId: list }), full.cards);
    expect((await rest.get(`/cards/${two}`)).body.listPublicId).toBe(from);
  });

  test("include archived ones, and those of archived lists", async () => {
    const { rest, fill, addCard, list, other } = await scene();
    const [card = ""] = await fill(2);
    await fill(2, other);
    expect((await rest.put(`/cards/${card}`, { isArchived: true })).status).toBe(200);
    expect((await rest.put(`/lists/${other}`, { isArchived: true })).status).toBe(200);
    expectFull(await addCard(list), full.cards);
    expect((await rest.delete(`/cards/${card}`)).status).toBe(200);
    expect((await addCard(list)).status).toBe(200);
  });

  test("of a deleted list do not count, and the list is restored only if its cards fit", async () => {
    const { rest, fill, addCard, list, other } = await scene();
    await fill(2);
    await fill(2, other);
    await rest.delete(`/lists/${other}`);
    const [remaining = ""] = await fill(1);
    expectFull(await rest.post(`/lists/${other}/restore`), full.cards);
    await rest.delete(`/cards/${remaining}`);
    expect((await rest.post(`/lists/${other}/restore`)).status).toBe(200);
    expectFull(await addCard(list), full.cards);
  });

  test("do not exceed the limit when many are made at once in several lists", async () => {
    const { addCard, board, rest } = await scene();
    const replies = await Promise.all(
      [...board.lists, ...board.lists, ...board.lists].map((list) => addCard(list)),
    );
    expect(tally(replies)).toEqual({ 200: 4, 409: 5 });
    expect((await rest.get(`/boards/${board.publicId}/cards`)).body.items).toHaveLength(4);
  });
});

describe("checklists and their items", () => {
  test("are refused past the limit when they are added, also with a card", async () => {
    const { rest, addCard } = await scene();
    const { body: card } = await addCard();
    const path = `/cards/${card.publicId}/checklists`;
    const { body: checklist } = await rest.post(path, { name: "One", items: ["a", "b"] });
    expectFull(
      await rest.post(`/checklists/${checklist.publicId}/items`, { title: "c" }),
      full.items,
    );
    expectFull(await rest.post(path, { name: "Long", items: ["a", "b", "c"] }), full.items);
    await rest.post(path, { name: "Two" });
    expectFull(await rest.post(path, { name: "Three" }), full.checklists);
    const named = (name: string) => ({ name });
    expectFull(
      await addCard(undefined, { checklists: ["a", "b", "c"].map(named) }),
      full.checklists,
    );
    expectFull(
      await addCard(undefined, { checklists: [{ name: "Long", items: ["a", "b", "c"] }] }),
      full.items,
    );
  });
});

describe("attachments of a card", () => {
  test("are refused past the limit", async () => {
    const { admin, addCard } = await scene();
    const { body: card } = await addCard();
    for (const bytes of ["one", "two"]) {
      expect((await upload(app(), admin, card.publicId, bytes)).status).toBe(200);
    }
    expectFull(await upload(app(), admin, card.publicId, "three"), full.attachments);
  });
});

describe("resources from before a limit was lowered", () => {
  test("stays, and is not created again", async () => {
    const { workspace, rest, board, list, home, addCard } = await scene();
    const { body: card } = await addCard(list, { checklists: [{ name: "One" }, { name: "Two" }] });
    const [, two] = card.checklists;
    await insertChecklist(app(), two.publicId, "Three");
    expectFull(await rest.post(`/cards/${card.publicId}/duplicate`, {}), full.checklists);
    expectFull(
      await rest.post(`${home}/boards`, { name: "Copy", sourceBoardPublicId: board.publicId }),
      full.checklists,
    );
    expect((await rest.get(`/cards/${card.publicId}`)).body.checklists).toHaveLength(3);
    expect((await rest.get(`/workspaces/${workspace.publicId}/boards`)).body.items).toHaveLength(1);
  });
});

test("roles of a workspace are refused past the limit when one is created", async () => {
  const { rest, home } = await scene();
  const add = (name: string) =>
    rest.post(`${home}/roles`, { name, hierarchyLevel: 5, permissions: [] });
  expect((await add("One")).status).toBe(200);
  expectFull(await add("Two"), "A workspace has at most 4 roles.");
});

test("archived lists have a limit of their own, and come back only when there is room", async () => {
  const { rest, board, list, other } = await scene();
  const archive = (id: string, isArchived: boolean) => rest.put(`/lists/${id}`, { isArchived });
  const add = (name: string) => rest.post("/lists", { name, boardPublicId: board.publicId });
  expect((await archive(list, true)).status).toBe(200);
  for (;;) if ((await add("More")).status !== 200) break;
  expectFull(await add("One more"), full.lists);
  expectFull(await archive(list, false), full.lists);
  expect((await archive(other, true)).status).toBe(200);
  expect((await archive(other, true)).status).toBe(200);
  const { body } = await rest.get(`/boards/${board.publicId}`);
  expectFull(await archive(body.lists[0].publicId, true), "A board has at most 2 archived lists.");
  expect((await rest.delete(`/lists/${other}`)).status).toBeLessThan(300);
  expect((await archive(body.lists[0].publicId, true)).status).toBe(200);
  expectFull(await rest.post(`/lists/${other}/restore`), "A board has at most 2 archived lists.");
});
