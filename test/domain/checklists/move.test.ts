import { describe, expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

async function start() {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const board = await makeBoard(workspace);
  const list = board.lists[0] ?? "";
  const [card, other] = [await makeCard(admin, list), await makeCard(admin, list)];
  const add = async (name: string, items: string[], on = card) =>
    (await admin.rest.post(`/cards/${on}/checklists`, { name, items })).body;
  const one = await add("One", ["a", "b", "c"]);
  const two = await add("Two", ["d"]);
  const read = async (publicId: string) => (await admin.rest.get(`/cards/${publicId}`)).body;
  const shown = async (publicId = card) =>
    (await read(publicId)).checklists.map((checklist: any) => [
      checklist.name,
      checklist.items.map(({ title }: { title: string }) => title).join(""),
    ]);
  const moves = async (type: string) => eventsIn(app(), workspace.publicId, type);
  return { workspace, admin, list, card, other, one, two, add, read, shown, moves };
}

describe("an item", () => {
  test("moves to an index of another checklist, with one event and what else changes", async () => {
    const { admin, card, one, two, read, shown, moves } = await start();
    const { publicId } = one.items[1];
    const { version } = await read(card);
    const body = { checklistPublicId: two.publicId, index: 0, title: "B" };
    const reply = await admin.rest.put(`/checklists/items/${publicId}`, body);
    expect(reply.body).toMatchObject({ checklistPublicId: two.publicId, index: 0, title: "B" });
    expect(await shown()).toEqual([
      ["One", "ac"],
      ["Two", "Bd"],
    ]);
    expect(await moves("checklist_item.moved")).toMatchObject([
      {
        isActivity: true,
        data: {
          checklistItem: { publicId, version: 2 },
          checklist: { publicId: two.publicId },
          from: { checklistPublicId: one.publicId, index: 1 },
          to: { checklistPublicId: two.publicId, index: 0 },
        },
      },
    ]);
    expect(await moves("checklist_item.updated")).toMatchObject([
      { changes: { title: { from: "b", to: "B" } } },
    ]);
    expect((await read(card)).version).toBe(version + 2);
  });

  test("goes to the end without an index, and the same again changes nothing", async () => {
    const { admin, one, two, shown, moves } = await start();
    const path = `/checklists/items/${one.items[0].publicId}`;
    const body = { checklistPublicId: two.publicId };
    const first = await admin.rest.put(path, body);
    expect((await admin.rest.put(path, body)).body).toEqual(first.body);
    expect(await shown()).toEqual([
      ["One", "bc"],
      ["Two", "da"],
    ]);
    expect(await moves("checklist_item.moved")).toHaveLength(1);
  });

  test("stays on its card, and within the items that a checklist may have", async () => {
    const { admin, one, two, other, add, shown } = await start();
    const elsewhere = await add("Elsewhere", [], other);
    const path = `/checklists/items/${one.items[0].publicId}`;
    const to = (checklistPublicId: string) => admin.rest.put(path, { checklistPublicId });
    expect((await to(elsewhere.publicId)).status).toBe(404);
    const items = Array.from({ length: 500 }, (_, nth) => `${nth}`);
    const full = await add("Full", items);
    const refused = await to(full.publicId);
    expect([refused.status, refused.body.issues[0].code]).toEqual([409, "limit_exceeded"]);
    expect((await to(two.publicId)).status).toBe(200);
    expect((await shown())[1]).toEqual(["Two", "da"]);
  });

  test("of many that move at once, each gets a place of its own", async () => {
    const { admin, one, two, read, card } = await start();
    const replies = await Promise.all(
      one.items.map(({ publicId }: { publicId: string }) =>
        admin.rest.put(`/checklists/items/${publicId}`, {
          checklistPublicId: two.publicId,
          index: 0,
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { checklists } = await read(card);
    expect(checklists[1].items).toHaveLength(4);
    expect(checklists[0].items).toEqual([]);
  });
});

describe("a checklist", () => {
  test("moves to a place on another card, with an event on the history of both", async () => {
    const { admin, card, other, one, add, read, shown, moves } = await start();
    await add("Three", [], other);
    const versions = [(await read(card)).version, (await read(other)).version];
    const body = { cardPublicId: other, index: 0, name: "First" };
    const reply = await admin.rest.put(`/checklists/${one.publicId}`, body);
    expect(reply.body).toMatchObject({
      cardPublicId: other,
      index: 0,
      name: "First",
      itemCount: 3,
    });
    expect(await shown(card)).toEqual([["Two", "d"]]);
    expect(await shown(other)).toEqual([
      ["First", "abc"],
      ["Three", ""],
    ]);
    const spots = { from: { cardPublicId: card, index: 0 }, to: { cardPublicId: other, index: 0 } };
    expect(await moves("checklist.moved")).toMatchObject([
      { isActivity: true, cardPublicId: card, data: { ...spots, checklist: { version: 2 } } },
      { isActivity: true, cardPublicId: other, data: { ...spots, checklist: { version: 3 } } },
    ]);
    expect(reply.headers.get("etag")).toBe('"4"');
    expect([(await read(card)).version, (await read(other)).version]).toEqual([
      (versions[0] ?? 0) + 1,
      (versions[1] ?? 0) + 2,
    ]);
  });

  test("moves to a card of another board that its assignees see", async () => {
    const { workspace, admin, one, shown } = await start();
    const member = await join(app(), workspace, "member");
    const board = await makeBoard(workspace);
    const target = await makeCard(admin, board.lists[0] ?? "");
    await admin.rest.put(`/checklists/items/${one.items[0].publicId}`, {
      memberPublicId: member.memberPublicId,
    });
    const move = () => admin.rest.put(`/checklists/${one.publicId}`, { cardPublicId: target });
    await admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
    const refused = await move();
    expect([refused.status, refused.body.issues[0].code]).toEqual([409, "member_without_access"]);
    await admin.rest.put(`/boards/${board.publicId}`, { visibility: "private" });
    expect((await move()).status).toBe(200);
    expect(await shown(target)).toEqual([["One", "abc"]]);
  });

  test("does not move to a card of another workspace, or of a board that the caller cannot see", async () => {
    const { workspace, admin, one } = await start();
    const member = await join(app(), workspace, "member");
    const foreign = await makeWorkspace(app());
    const theirs = await makeCard(foreign.admin, (await makeBoard(foreign)).lists[0] ?? "");
    const board = await makeBoard(workspace);
    const hidden = await makeCard(admin, board.lists[0] ?? "");
    await admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
    for (const [cardPublicId, statuses] of [
      [theirs, [404]],
      [hidden, [403, 404]],
    ] as const) {
      const reply = await member.rest.put(`/checklists/${one.publicId}`, { cardPublicId });
      expect(statuses).toContain(reply.status);
    }
  });

  test("leaves no text in the histories of the cards where it was when it is deleted", async () => {
    const { admin, one, other, workspace } = await start();
    const secret = `/checklists/items/${one.items[0].publicId}`;
    await admin.rest.put(secret, { title: "a very private text" });
    await admin.rest.put(`/checklists/${one.publicId}`, { cardPublicId: other, name: "Private" });
    await admin.rest.delete(`/checklists/${one.publicId}`);
    const events = JSON.stringify(await eventsIn(app(), workspace.publicId), (_, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    expect(events).not.toContain("a very private text");
    expect(events).not.toContain('"Private"');
  });

  test("of two that change places at once, both arrive", async () => {
    const { admin, card, other, one, add, shown } = await start();
    const three = await add("Three", ["x"], other);
    for (let round = 0; round < 5; round++) {
      const [here, there] = round % 2 === 0 ? [card, other] : [other, card];
      const replies = await Promise.all([
        admin.rest.put(`/checklists/${one.publicId}`, { cardPublicId: there }),
        admin.rest.put(`/checklists/${three.publicId}`, { cardPublicId: here }),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    }
    expect((await shown(card)).toSorted()).toEqual([
      ["Three", "x"],
      ["Two", "d"],
    ]);
    expect(await shown(other)).toEqual([["One", "abc"]]);
  });
});
