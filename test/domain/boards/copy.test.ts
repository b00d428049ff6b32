import { beforeAll, describe, expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { readBoard } from "../../support/board.ts";
import { as } from "../../support/as.ts";
import { join, makeBoard, makeWorkspace, type Workspace } from "../../support/make.ts";
import { makeTemplate } from "./template.ts";

const app = useApp();

let workspace: Workspace;
let template: string;

beforeAll(async () => {
  workspace = await makeWorkspace(app());
  template = await makeTemplate(workspace);
});

const copy = (more: object = {}, user: Pick<typeof workspace.admin, "rest"> = workspace.admin) =>
  user.rest.post(`/workspaces/${workspace.publicId}/boards`, {
    name: "Copy",
    sourceBoardPublicId: template,
    ...more,
  });

type Shown = {
  publicId: string;
  name: string;
  wipLimit: number | null;
  cards: Record<string, any>[];
};

describe("board.create from a source", () => {
  test("copies lists, labels, cards and checklists, all in their order", async () => {
    const { status, body } = await copy();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: "Copy",
      type: "regular",
      visibility: "private",
      description: "How we do it",
    });
    expect(
      body.labels.map(({ name, colourCode }: Record<string, string>) => [name, colourCode]),
    ).toEqual([
      ["Bug", "#ff0000"],
      ["Idea", "#00ff00"],
    ]);
    const lists: Shown[] = body.lists;
    expect(lists.map(({ name, wipLimit }) => [name, wipLimit])).toEqual([
      ["First", null],
      ["Second", 7],
      ["Third", null],
    ]);
    expect(lists.map(({ cards }) => cards.map(({ title, index }) => [title, index]))).toEqual([
      [
        ["a", 0],
        ["b", 1],
        ["c", 2],
      ],
      [["full", 0]],
      [],
    ]);
    const card = (await workspace.admin.rest.get(`/cards/${lists[1]?.cards[0]?.["publicId"]}`))
      .body;
    expect(card).toMatchObject({
      description: "Text",
      startDate: "2030-01-01T00:00:00.000Z",
      dueDate: "2030-02-01T00:00:00.000Z",
      isComplete: false,
      members: [],
      boardPublicId: body.publicId,
      labels: body.labels,
      version: 1,
    });
    const checklists = card.checklists.map(({ name, items }: any) => [
      name,
      items.map(({ title, completed }: any) => [title, completed]),
    ]);
    expect(checklists).toEqual([
      [
        "Then",
        [
          ["x", false],
          ["y", false],
          ["z", false],
        ],
      ],
      ["Last", []],
    ]);
    const again = await readBoard(workspace.admin, body.publicId);
    expect(again).toEqual(body);
  });

  test("shares nothing with its source: their orders are independent", async () => {
    const before = await readBoard(workspace.admin, template);
    const { body } = await copy();
    const ids = (board: unknown): string[] =>
      JSON.stringify(board).match(/"publicId":"\w+"/g) ?? [];
    expect(ids(body).filter((id) => ids(before).includes(id))).toEqual([]);
    const [list] = body.lists as Shown[];
    await workspace.admin.rest.put(`/cards/${list?.cards[2]?.["publicId"]}`, { index: 0 });
    await workspace.admin.rest.post("/cards", {
      title: "new",
      listPublicId: list?.publicId,
      index: 1,
    });
    expect(await readBoard(workspace.admin, template)).toEqual(before);
    const after = (await workspace.admin.rest.get(`/boards/${body.publicId}`)).body;
    expect(after.lists[0].cards.map(({ title }: { title: string }) => title)).toEqual([
      "c",
      "new",
      "a",
      "b",
    ]);
  });

  test("takes the cards' numbers from the counter, once each, in the order of the old ones", async () => {
    const [{ body: one }, { body: two }] = await Promise.all([copy(), copy()]);
    const numbers = (board: { lists: Shown[] }) =>
      board.lists.flatMap(({ cards }) =>
        cards.map(({ title, cardNumber }) => [title, Number(cardNumber.split("-")[1])] as const),
      );
    const all = [...numbers(one), ...numbers(two)].map(([, number]) => number);
    expect(new Set(all).size).toBe(8);
    // They were made in this order.
    const inOrder = numbers(one).toSorted(([, a], [, b]) => a - b);
    expect(inOrder.map(([title]) => title)).toEqual(["c", "b", "a", "full"]);
    const next = await workspace.admin.rest.post("/cards", {
      title: "next",
      listPublicId: two.lists[0].publicId,
    });
    expect(Number(next.body.cardNumber.split("-")[1])).toBeGreaterThan(Math.max(...all));
  });

  test("emits board.created, and no events for its contents", async () => {
    const before = (await eventsIn(app(), workspace.publicId)).length;
    const { body } = await copy();
    const events = (await eventsIn(app(), workspace.publicId)).slice(before);
    expect(events).toMatchObject([{ type: "board.created", boardPublicId: body.publicId }]);
  });

  test("prefers the fields of the new board to those of the source", async () => {
    const { body } = await copy({ description: null, type: "template", visibility: "public" });
    expect(body).toMatchObject({ description: null, type: "template", visibility: "public" });
    expect(await copy({ lists: ["One"] })).toMatchObject({
      status: 400,
      body: { issues: [{ path: ["sourceBoardPublicId"] }] },
    });
    expect((await copy({ labels: [] })).status).toBe(400);
  });

  test("is 404 for a source that is deleted, in another workspace or not visible to the caller", async () => {
    const stranger = await makeWorkspace(app());
    const theirs = await makeBoard(stranger);
    const gone = await makeBoard(workspace);
    await workspace.admin.rest.delete(`/boards/${gone.publicId}`);
    for (const id of [theirs.publicId, gone.publicId, "thereisnosuch"]) {
      expect(await copy({ sourceBoardPublicId: id })).toMatchObject({
        status: 404,
        body: { issues: [{ code: "board_not_found" }] },
      });
    }
    const member = await join(app(), workspace, "member");
    const hidden = await makeBoard(workspace);
    await workspace.admin.rest.put(`/boards/${hidden.publicId}`, { visibility: "restricted" });
    expect((await copy({ sourceBoardPublicId: hidden.publicId }, member)).status).toBe(404);
    await workspace.admin.rest.put(`/boards/${hidden.publicId}/members/${member.memberPublicId}`);
    expect((await copy({ sourceBoardPublicId: hidden.publicId }, member)).body).toMatchObject({
      visibility: "restricted",
    });
    const opened = { sourceBoardPublicId: hidden.publicId, visibility: "private" };
    expect((await copy(opened, member)).status).toBe(403);
    expect((await copy(opened)).body).toMatchObject({ visibility: "private" });
    const key = await member.rest.post("/auth/api-keys", {
      password: "a password for tests",
      name: "key",
      permissions: ["board:create"],
    });
    const blind = as(app(), key.body.key);
    const { status } = await blind.rest.post(`/workspaces/${workspace.publicId}/boards`, {
      name: "No",
      sourceBoardPublicId: template,
    });
    expect(status).toBe(403);
  });

  test.each(["board:view", "list:view", "card:view"] as const)(
    "is 403 without %s: the copy would show it",
    async (missing) => {
      const all = ["board:create", "board:view", "list:view", "card:view"];
      const key = await workspace.admin.rest.post("/auth/api-keys", {
        name: "key",
        permissions: all.filter((permission) => permission !== missing),
      });
      expect((await copy({}, as(app(), key.body.key))).status).toBe(403);
    },
  );
});
