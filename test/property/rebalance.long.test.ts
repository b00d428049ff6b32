import { describe, expect, test } from "vitest";
import { maxDigits, deferrableDigits } from "../../src/kernel/positions.ts";
import { useApp } from "../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../support/make.ts";
import { expectSound } from "./invariants.ts";
import { cardRows, connection, fill, setPosition, waiting, written } from "./rows.ts";
import { queryOn } from "../support/rows.ts";
import { moveCard } from "../support/faults.ts";

const app = useApp({ isolated: true });

const list = async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace, { lists: ["One", "Two"] });
  const [one = "", two = ""] = board.lists;
  return { workspace, user: workspace.admin, board: board.publicId, one, two };
};
/** A position with so many digits behind the point, right behind 1. */
const long = (digits: number) => `1.${"0".repeat(digits - 1)}1`;

/** The digits of a position behind the point. */
const digitsOf = ({ position }: { position: string }) => position.split(".")[1]?.length ?? 0;

/** Two neighbours so close that a position between them has more than so many digits. */
async function narrow(digits: number) {
  const { user, one, two, board } = await list();
  const [left, right, third] = [
    await makeCard(user, one),
    await makeCard(user, one),
    await makeCard(user, one),
  ];
  await setPosition(app(), "cards", right, long(digits));
  return { user, board, one, two, left, right, third };
}

describe("a move", () => {
  test("writes one row, in a list and between lists, however many cards they have", async () => {
    const { user, one, two } = await list();
    await fill(app(), one, 300);
    await fill(app(), two, 300);
    const rows = async () => [...(await cardRows(app(), one)), ...(await cardRows(app(), two))];
    const [first] = await rows();
    const id = first?.publicId ?? "";
    for (const change of [{ index: 150 }, { listPublicId: two, index: 0 }, { listPublicId: one }]) {
      const before = await rows();
      expect((await user.rest.put(`/cards/${id}`, change)).status).toBe(200);
      expect(written(before, await rows())).toEqual([id]);
    }
  });

  test("to the current position of the card writes no rows", async () => {
    const { user, one, board } = await list();
    const cards = [await makeCard(user, one), await makeCard(user, one), await makeCard(user, one)];
    await user.rest.put(`/cards/${cards[1]}`, { isArchived: true });
    const before = await cardRows(app(), one);
    const again = [
      { index: 1 },
      { index: 99 },
      { listPublicId: one },
      { listPublicId: one, index: 1 },
      { afterCardPublicId: cards[1] },
    ];
    for (const change of again) {
      const { status, headers } = await user.rest.put(`/cards/${cards[2]}`, change);
      expect([status, headers.get("etag")]).toEqual([200, '"1"']);
    }
    expect(await cardRows(app(), one)).toEqual(before);
    const moved = await app().db.reader.event.count({
      where: { boardPublicId: board, type: "card.moved" },
    });
    expect(moved).toBe(0);
  });
});

describe("positions that would be too long", () => {
  test("never are, and the order stays, when 400 cards go between the same two", async () => {
    const { user, one } = await list();
    const [left, right] = [await makeCard(user, one), await makeCard(user, one)];
    const [, before] = await cardRows(app(), one);
    const made: string[] = [];
    for (let n = 0; n < 400; n++) {
      const fields = { title: "Between", listPublicId: one, afterCardPublicId: left };
      const { body } = await user.rest.post("/cards", fields);
      expect(body.index).toBe(1);
      made.unshift(body.publicId);
    }
    const rows = await cardRows(app(), one);
    expect(rows.map((row) => row.publicId)).toEqual([left, ...made, right]);
    expect(Math.max(...rows.map(digitsOf))).toBeLessThanOrEqual(maxDigits);
    expect(rows.at(-1)?.position).not.toBe(before?.position);
    await expectSound(app());
  });

  test("are replaced for the whole list in the transaction of the move, which changes nothing else", async () => {
    const { user, one, two, left, right, third } = await narrow(maxDigits);
    const archived = await makeCard(user, one);
    await user.rest.put(`/cards/${archived}`, { isArchived: true });
    const moved = await makeCard(user, two);
    const before = await app().db.reader.event.count();
    const { status } = await user.rest.put(`/cards/${moved}`, { listPublicId: one, index: 1 });
    expect(status).toBe(200);
    const rows = await cardRows(app(), one);
    expect(rows.map((row) => row.publicId)).toEqual([left, moved, right, third, archived]);
    expect(Math.max(...rows.map(digitsOf))).toBe(0);
    expect(new Set(rows.map((row) => row.writer)).size).toBe(1);
    expect((await user.rest.get(`/cards/${right}`)).headers.get("etag")).toMatch(/^"1-/);
    expect(await app().db.reader.event.count()).toBe(before + 1);
  });

  test("are made anew by a move within the list too", async () => {
    const { user, one, left, right, third } = await narrow(maxDigits);
    expect((await user.rest.put(`/cards/${third}`, { index: 1 })).status).toBe(200);
    const rows = await cardRows(app(), one);
    expect(rows.map((row) => row.publicId)).toEqual([left, third, right]);
    expect(Math.max(...rows.map(digitsOf))).toBe(0);
  });

  test("are made anew for the lists of a board", async () => {
    const { user, board, one, two } = await list();
    await setPosition(app(), "lists", two, long(maxDigits));
    const { body } = await user.rest.post("/lists", {
      name: "Between",
      boardPublicId: board,
      index: 1,
    });
    const read = await user.rest.get(`/boards/${board}`);
    const ids = read.body.lists.map((each: { publicId: string }) => each.publicId);
    expect(ids).toEqual([one, body.publicId, two]);
    const rows = await app().db.reader.list.findMany({ where: { board: { publicId: board } } });
    expect(rows.map(({ position }) => position.decimalPlaces())).toEqual([0, 0, 0]);
  });

  test("are made anew for the items of a checklist", async () => {
    const { user, one } = await list();
    const card = await makeCard(user, one);
    const { body } = await user.rest.post(`/cards/${card}/checklists`, {
      name: "All",
      items: ["a", "z"],
    });
    await setPosition(app(), "checklist_items", body.items[1].publicId, long(maxDigits));
    await user.rest.post(`/checklists/${body.publicId}/items`, { title: "m", index: 1 });
    const read = await user.rest.get(`/cards/${card}`);
    expect(read.body.checklists[0].items.map((item: { title: string }) => item.title)).toEqual([
      "a",
      "m",
      "z",
    ]);
    const rows = await app().db.reader.checklistItem.findMany({
      where: { checklist: { publicId: body.publicId } },
    });
    expect(rows.map(({ position }) => position.decimalPlaces())).toEqual([0, 0, 0]);
  });
});

describe("while another client holds a card of the list", () => {
  const post = (user: { rest: { post: Function } }, listPublicId: string, after: string) =>
    user.rest.post("/cards", { title: "New", listPublicId, afterCardPublicId: after });
  const hold = async (id: string) => {
    const holder = await connection(app());
    await holder.query("BEGIN");
    await holder.query(`SELECT FROM cards WHERE "publicId" = $1 FOR UPDATE`, [id]);
    return holder;
  };

  test("the rebalance of long positions is deferred, so that it cannot deadlock with a move", async () => {
    const { user, one, left, right, third } = await narrow(maxDigits);
    const holder = await hold(right);
    const { status, body } = await post(user, one, left);
    expect(status).toBe(200);
    await holder.query(`SELECT FROM lists WHERE "publicId" = $1 FOR UPDATE`, [one]);
    await holder.query("COMMIT");
    const { body: next } = await post(user, one, left);
    const rows = await cardRows(app(), one);
    const order = [left, next.publicId, body.publicId, right, third];
    expect(rows.map((row) => row.publicId)).toEqual(order);
    expect(Math.max(...rows.map(digitsOf))).toBe(0);
  });

  test("a card that leaves the list at that moment gets no position of that list", async () => {
    const { user, one, two, left, right } = await narrow(maxDigits);
    const holder = await hold(right);
    await moveCard(queryOn(holder), right, two, "7");
    await post(user, one, left);
    await holder.query("COMMIT");
    expect(await cardRows(app(), two)).toMatchObject([{ publicId: right, position: "7" }]);
  });

  test("a rebalance that was deferred too long waits for the card", async () => {
    const { user, one, left, right, third } = await narrow(deferrableDigits);
    const holder = await hold(third);
    const pending = post(user, one, left);
    await waiting(app());
    await holder.query("COMMIT");
    const { status, body } = await pending;
    expect(status).toBe(200);
    const rows = await cardRows(app(), one);
    expect(rows.map((row) => row.publicId)).toEqual([left, body.publicId, right, third]);
    expect(Math.max(...rows.map(digitsOf))).toBe(0);
  });
});
