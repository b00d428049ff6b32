import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeCard } from "../../support/make.ts";
import { start } from "./moving.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp();

const moved = (card: string) =>
  findEvents(app(), {
    where: { cardPublicId: card, type: "card.moved" },
    orderBy: { id: "asc" },
  });

describe("a move of a card", () => {
  test("within its list moves it to the index among the others", async () => {
    const { user, here, one } = await start(app());
    const cards: string[] = [];
    for (const title of ["a", "b", "c", "d"]) cards.push(await makeCard(user, one, title));
    const order = async (n: number, body: object) => {
      expect((await user.rest.put(`/cards/${cards[n]}`, body)).status).toBe(200);
      const { lists } = await user.trpc.board.get.query({ boardPublicId: here.publicId });
      return lists[0]?.cards.map(({ title }) => title).join("");
    };
    expect(await order(0, { index: 2 })).toBe("bcad");
    expect(await order(3, { index: 0 })).toBe("dbca");
    expect(await order(1, { index: 1000 })).toBe("dcab");
    expect(await order(2, { beforeCardPublicId: cards[3] })).toBe("cdab");
    expect(await order(3, { afterCardPublicId: cards[1] })).toBe("cabd");
  });

  test("to another list without a placement moves to its end, and emits both positions", async () => {
    const { user, here, one, two } = await start(app());
    const [id] = [await makeCard(user, one), await makeCard(user, two)];
    const { body } = await user.rest.put(`/cards/${id}`, { listPublicId: two });
    expect(Object.keys(body)).toEqual(["publicId", "title", "description", "dueDate"]);
    expect((await user.rest.get(`/cards/${id}`)).body).toMatchObject({
      listPublicId: two,
      index: 1,
      version: 2,
    });
    expect(await moved(id)).toMatchObject([
      {
        data: {
          card: { publicId: id, version: 2 },
          list: { publicId: two, name: "Two" },
          from: { listPublicId: one, boardPublicId: here.publicId },
          to: { listPublicId: two, boardPublicId: here.publicId, index: 1 },
        },
      },
    ]);
  });

  test("together with other changes is one write with one event of each kind", async () => {
    const { user, one, two } = await start(app());
    const id = await makeCard(user, one);
    const reply = await user.rest.put(`/cards/${id}`, {
      title: "New",
      listPublicId: two,
      index: 0,
      isComplete: true,
      isArchived: true,
    });
    expect(reply.headers.get("etag")).toBe('"5"');
    const events = await findEvents(app(), {
      where: { cardPublicId: id },
      orderBy: { id: "asc" },
    });
    expect(events.map(({ type }) => type)).toEqual([
      "card.created",
      "card.updated",
      "card.moved",
      "card.archived",
      "card.completed",
    ]);
  });

  test("is 409 beside a card that is not in the target list, and changes nothing", async () => {
    const { user, one, two } = await start(app());
    const [id, beside, other] = [
      await makeCard(user, one),
      await makeCard(user, one),
      await makeCard(user, two),
    ];
    const wrong = [
      { beforeCardPublicId: other },
      { afterCardPublicId: "nowhere00000" },
      { listPublicId: two, afterCardPublicId: beside },
    ];
    for (const placement of wrong) {
      const reply = await user.rest.put(`/cards/${id}`, { title: "Changed", ...placement });
      const field = Object.keys(placement).at(-1);
      expect(reply).toMatchObject({ status: 409, body: { issues: [{ path: [field] }] } });
    }
    expect((await user.rest.get(`/cards/${id}`)).body).toMatchObject({
      listPublicId: one,
      index: 0,
      version: 1,
    });
  });

  test("of an archived card leaves it archived; unarchiving shows it at the new position", async () => {
    const { user, one } = await start(app());
    const [a, b, c] = [
      await makeCard(user, one),
      await makeCard(user, one),
      await makeCard(user, one),
    ];
    await user.rest.put(`/cards/${b}`, { isArchived: true });
    expect((await user.rest.get(`/cards/${c}`)).body.index).toBe(1);
    await user.rest.put(`/cards/${b}`, { isArchived: false });
    expect((await user.rest.get(`/cards/${b}`)).body.index).toBe(1);
    await user.rest.put(`/cards/${b}`, { isArchived: true, beforeCardPublicId: a });
    expect((await user.rest.get(`/cards/${b}`)).body).toMatchObject({
      index: null,
      isArchived: true,
    });
    await user.rest.put(`/cards/${b}`, { isArchived: false });
    expect((await user.rest.get(`/cards/${b}`)).body.index).toBe(0);
  });
});
