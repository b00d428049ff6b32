import { describe, expect, test } from "vitest";
import { request, withDeps } from "../auth/account.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import type { Sql } from "../../../src/platform/db/sql.ts";

const app = useApp();

type Shown = { name: string; cards: { title: string; index: number }[] };

describe("board.get", () => {
  test("shows lists and cards in order, with the relations of the cards", async () => {
    const workspace = await makeWorkspace(app());
    const { admin } = workspace;
    const me = (await admin.rest.get(`/workspaces/${workspace.publicId}`)).body.memberPublicId;
    const board = await makeBoard(workspace, { lists: ["One", "Two"] });
    const [one = "", two = ""] = board.lists;
    await makeCard(admin, one, "Second");
    await admin.rest.post("/cards", { title: "First", listPublicId: one, index: 0 });
    const { body: full } = await admin.rest.post("/cards", {
      title: "Full",
      description: "Text",
      listPublicId: two,
      dueDate: "2027-01-31T10:00:00+02:00",
      labelPublicIds: board.labels,
      memberPublicIds: [me],
      checklists: [{ name: "Steps", items: ["a", "b"] }],
    });
    const { status, body } = await admin.rest.get(`/boards/${board.publicId}`);
    expect(status).toBe(200);
    expect(
      body.lists.map((list: Shown) => [
        list.name,
        list.cards.map(({ title, index }) => [title, index]),
      ]),
    ).toEqual([
      [
        "One",
        [
          ["First", 0],
          ["Second", 1],
        ],
      ],
      ["Two", [["Full", 0]]],
    ]);
    expect(body.lists[1].cards[0]).toMatchObject({
      publicId: full.publicId,
      cardNumber: `${workspace.cardPrefix}-3`,
      hasDescription: true,
      dueDate: "2027-01-31T08:00:00.000Z",
      labels: [{ publicId: board.labels[0] }],
      members: [{ publicId: me, name: "Admin", image: null }],
      checklistItems: { total: 2, completed: 0 },
      commentCount: 0,
      attachmentCount: 0,
    });
    expect(JSON.stringify(body)).not.toContain("@");
  });

  test("omits deleted and archived cards, and counts no index for them", async () => {
    const workspace = await makeWorkspace(app());
    const { admin } = workspace;
    const board = await makeBoard(workspace, { lists: ["One", "Gone"] });
    const [one = "", gone = ""] = board.lists;
    const cards = [];
    for (const title of ["a", "b", "c", "d"]) cards.push(await makeCard(admin, one, title));
    await makeCard(admin, gone, "in a deleted list");
    await admin.rest.delete(`/cards/${cards[0]}`);
    await admin.rest.put(`/cards/${cards[2]}`, { isArchived: true });
    await admin.rest.delete(`/lists/${gone}`);
    const { body } = await admin.rest.get(`/boards/${board.publicId}`);
    expect(
      body.lists.map((list: Shown) => list.cards.map(({ title, index }) => [title, index])),
    ).toEqual([
      [
        ["b", 0],
        ["d", 1],
      ],
    ]);
  });

  test("answers a tag that is current until anything on the board changes", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace);
    const read = (tag = "") =>
      workspace.admin.rest.get(`/boards/${board.publicId}`, { headers: { "If-None-Match": tag } });
    const tag = (await read()).headers.get("etag") ?? "";
    expect(await read(tag)).toMatchObject({ status: 304, body: undefined });
    await makeCard(workspace.admin, board.lists[0] ?? "");
    expect((await read(tag)).status).toBe(200);
  });
});

test("board.get shows a card that comes with a new list while it reads", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const board = await makeBoard(workspace);
  const { db } = app().deps;
  // The reader's connections wait for the card, so that another user makes it.
  const another = await join(app(), workspace, "member");
  let come: Promise<string> | undefined;
  const arrive = async () => {
    const fields = { name: "Late", boardPublicId: board.publicId };
    const { body } = await another.rest.post("/lists", fields);
    return makeCard(another, body.publicId, "Late");
  };
  const query: typeof db.read = async <Row>(statement: Sql) => {
    const isLists = String(statement).startsWith("SELECT * FROM lists");
    const rows = isLists ? await db.read<Row>(statement) : undefined;
    if (isLists) come ??= arrive();
    // The cards are read when the new ones are there, the lists were read before.
    while (come === undefined) await new Promise((resolve) => setImmediate(resolve));
    await come;
    return rows ?? db.read<Row>(statement);
  };
  const reader: typeof db.reader = Object.assign(Object.create(db.reader), { query });
  const call = withDeps(app(), { db: { ...db, reader } });
  const { body } = await call(request("GET", `/boards/${board.publicId}`, admin.token));
  const cards = body.lists.flatMap((list: { cards: { publicId: string }[] }) => list.cards);
  expect(cards.map(({ publicId }: { publicId: string }) => publicId)).toEqual([await come]);
});
