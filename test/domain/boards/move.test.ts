import { describe, expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { strayReferences } from "../../kernel/access/snapshot.ts";
import { useApp } from "../../support/app.ts";
import { readBoard } from "../../support/board.ts";
import { makeBoard, makeCard, type Workspace } from "../../support/make.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { move, twoWorkspaces } from "./moving.ts";
import { insertLink } from "../../support/rows.ts";

const app = useApp();

type Card = { title: string; cardNumber: string; publicId: string };

describe("board.move", () => {
  test("moves lists, cards, labels, checklists, comments and attachments, in their order", async () => {
    const { here, there, admin } = await twoWorkspaces(app());
    const board = await makeBoard(here, { lists: ["One", "Two"], labels: 2 });
    const { body: card } = await admin.rest.post("/cards", {
      title: "Full",
      listPublicId: board.lists[0],
      labelPublicIds: board.labels,
      checklists: [{ name: "Steps", items: ["x", "y"] }],
    });
    await makeCard(admin, board.lists[0] ?? "", "Last");
    await admin.rest.post(`/cards/${card.publicId}/comments`, { comment: "Said" });
    await insertLink(app(), card.publicId);
    await makeCard(admin, (await makeBoard(there)).lists[0] ?? "", "There before");
    const before = await readBoard(admin, board.publicId);
    const { status, body, headers } = await move(admin, board.publicId, there);
    expect(status).toBe(200);
    expect(headers.get("etag")).toBe('"2"');
    const renumbered = before.lists.map((list: { cards: Card[] }) => ({
      ...list,
      cards: list.cards.map((one, nth) => ({
        ...one,
        cardNumber: `${there.cardPrefix}-${nth + 2}`,
      })),
    }));
    expect(body).toEqual({
      ...before,
      workspacePublicId: there.publicId,
      lists: renumbered,
      version: 2,
      updatedAt: body.updatedAt,
    });
    expect(await readBoard(admin, board.publicId)).toEqual(body);
    expect((await admin.rest.get(`/cards/${card.publicId}`)).body).toMatchObject({
      workspacePublicId: there.publicId,
      commentCount: 1,
      attachmentCount: 1,
      checklists: [{ items: [{ title: "x" }, { title: "y" }] }],
    });
    expect(await strayReferences(app())).toEqual([]);
    const listed = async ({ publicId }: Workspace) =>
      (await admin.rest.get(`/workspaces/${publicId}/boards`)).body.items.map(
        (one: { publicId: string }) => one.publicId,
      );
    expect(await listed(here)).toEqual([]);
    expect(await listed(there)).toContain(board.publicId);
  });

  test("renumbers the cards in the old order; old numbers become aliases and are not reused", async () => {
    const { here, there, admin } = await twoWorkspaces(app());
    const board = await makeBoard(here, { lists: ["One"] });
    const [list = ""] = board.lists;
    for (const title of ["1", "2", "3"])
      await admin.rest.post("/cards", { title, listPublicId: list, index: 0 });
    const gone = await makeCard(admin, list, "4");
    await admin.rest.delete(`/cards/${gone}`);
    const numbers = async () => {
      const { body } = await admin.rest.get(`/boards/${board.publicId}`);
      return body.lists[0].cards
        .map(({ title, cardNumber }: Card) => `${title} is ${cardNumber.split("-")[1]}`)
        .toSorted();
    };
    const aliases = ({ publicId }: Workspace) =>
      app().db.read<{ number: number; title: string }>(
        sql`SELECT a.number, c.title FROM card_aliases a JOIN cards c ON c.id = a."cardId" JOIN workspaces w ON w.id = a."workspaceId"
         WHERE w."publicId" = ${publicId} ORDER BY a.number`,
      );
    const aliased = (first: number) =>
      ["1", "2", "3", "4"].map((title, nth) => ({ number: first + nth, title }));
    await move(admin, board.publicId, there);
    expect(await numbers()).toEqual(["1 is 1", "2 is 2", "3 is 3"]);
    expect(await aliases(here)).toEqual(aliased(1));
    await move(admin, board.publicId, here);
    expect(await numbers()).toEqual(["1 is 5", "2 is 6", "3 is 7"]);
    expect(await aliases(there)).toEqual(aliased(1));
    expect(await aliases(here)).toEqual(aliased(1));
    const { body } = await admin.rest.post("/cards", { title: "next", listPublicId: list });
    expect(body.cardNumber).toBe(`${here.cardPrefix}-9`);
  });

  test("emits one event in each of the two workspaces, and one activity of the board", async () => {
    const { here, there, admin } = await twoWorkspaces(app());
    const board = await makeBoard(here);
    const before = [
      (await eventsIn(app(), here.publicId)).length,
      (await eventsIn(app(), there.publicId)).length,
    ];
    const { body } = await move(admin, board.publicId, there);
    const [left, came] = [
      await eventsIn(app(), here.publicId),
      await eventsIn(app(), there.publicId),
    ];
    const all = [...left.slice(before[0]), ...came.slice(before[1])];
    expect(all.map(({ type }) => type).toSorted()).toEqual([
      "access.gained",
      "access.lost",
      "board.moved",
      "board.moved",
    ]);
    const emitted = all.filter(({ type }) => type === "board.moved");
    expect(emitted).toHaveLength(2);
    for (const event of emitted) {
      expect(event).toMatchObject({
        type: "board.moved",
        boardPublicId: board.publicId,
        actorPublicId: admin.publicId,
        data: {
          board: { publicId: board.publicId, version: body.version },
          from: { workspacePublicId: here.publicId },
          to: { workspacePublicId: there.publicId },
        },
      });
    }
    const { items } = (await admin.rest.get(`/boards/${board.publicId}/activities`)).body;
    expect(items.map(({ type }: { type: string }) => type)).toEqual([
      "board.moved",
      "board.created",
    ]);
    await move(admin, board.publicId, here);
    const again = (await admin.rest.get(`/boards/${board.publicId}/activities`)).body.items;
    expect(again.map(({ type }: { type: string }) => type)).toEqual([
      "board.moved",
      "board.moved",
      "board.created",
    ]);
  });

  test("gives the board a suffix when its slug is taken there", async () => {
    const { here, there, admin } = await twoWorkspaces(app());
    const make = async ({ publicId }: Workspace) =>
      (await admin.rest.post(`/workspaces/${publicId}/boards`, { name: "Plan" })).body.publicId;
    const [mine] = [await make(here), await make(there)];
    expect((await move(admin, mine, there)).body.slug).toMatch(/^plan-[a-z0-9]{6}$/);
  });

  test("to its current position changes nothing and emits nothing", async () => {
    const { here, admin } = await twoWorkspaces(app());
    const board = await makeBoard(here);
    const before = await eventsIn(app(), here.publicId);
    const { status, body } = await move(admin, board.publicId, here);
    expect({ status, body }).toEqual({
      status: 200,
      body: await readBoard(admin, board.publicId),
    });
    expect(await eventsIn(app(), here.publicId)).toEqual(before);
  });

  test("compares If-Match, and has one effect for one Idempotency-Key", async () => {
    const { here, there, admin } = await twoWorkspaces(app());
    const board = await makeBoard(here);
    const input = { workspacePublicId: there.publicId };
    const go = (headers: Record<string, string>) =>
      admin.rest.post(`/boards/${board.publicId}/move`, input, { headers });
    expect((await go({ "If-Match": '"7"' })).status).toBe(412);
    const [first, second] = [
      await go({ "Idempotency-Key": "once" }),
      await go({ "Idempotency-Key": "once" }),
    ];
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await eventsIn(app(), there.publicId, "board.moved")).toHaveLength(1);
  });

  test("moves the trash, from which cards are restored with their new numbers", async () => {
    const { here, there, admin } = await twoWorkspaces(app());
    const board = await makeBoard(here);
    const card = await makeCard(admin, board.lists[0] ?? "");
    await admin.rest.delete(`/cards/${card}`);
    await move(admin, board.publicId, there);
    expect((await admin.rest.post(`/cards/${card}/restore`)).status).toBe(200);
    expect((await admin.rest.get(`/cards/${card}`)).body.cardNumber).toBe(`${there.cardPrefix}-1`);
  });
});
