import { describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeBoard, makeCard } from "../support/make.ts";
import { expectSound } from "../property/invariants.ts";
import { start, eventsOf } from "./scene.ts";
import { sql } from "../../src/platform/db/sql.ts";

const app = useApp();

describe("failures of other boards:", () => {
  test("moves that put two cards on one position and then break the next delete", async () => {
    const { user, two, ids, cardsByList } = await start(app(), 10);
    const moves = ids.map((id) => user.rest.put(`/cards/${id}`, { listPublicId: two, index: 0 }));
    for (const { status } of await Promise.all(moves)) expect(status).toBe(200);
    expect((await cardsByList())[two]?.toSorted()).toEqual(ids.toSorted());
    await expectSound(app());
    for (const id of ids) expect((await user.rest.delete(`/cards/${id}`)).status).toBe(200);
    expect(Object.values(await cardsByList())).toEqual([[], []]);
  });

  test("a bulk move that wrote NaN positions", async () => {
    const { user, one, two, ids, cardsByList } = await start(app(), 4);
    await makeCard(user, two);
    await Promise.all([
      user.rest.post(`/lists/${one}/move-cards`, { targetListPublicId: two }),
      user.rest.post(`/lists/${two}/sort`, { by: "title" }),
      user.rest.post(`/lists/${two}/move-cards`, { targetListPublicId: one }),
    ]);
    expect(Object.values(await cardsByList()).flat()).toHaveLength(5);
    await expectSound(app());
    for (const index of ["NaN", "1e999", "-0.5", '"0"', "[0]", "true", "9007199254740993"]) {
      const { status } = await app().call({
        method: "PUT",
        path: `/cards/${ids[1]}`,
        token: user.token,
        body: `{"index":${index}}`,
        headers: { "Content-Type": "application/json" },
      });
      expect({ index, status }).toEqual({ index, status: 400 });
    }
    const odd = await app().db.read(
      sql`SELECT 1 FROM cards WHERE position IN ('NaN', 'Infinity', '-Infinity')`,
    );
    expect(odd).toEqual([]);
  });

  test("a move to another board that lost 20 cards while the log said “moved”", async () => {
    const { workspace, user, board, ids, cardsByList } = await start(app(), 20);
    const { publicId, lists } = await makeBoard(workspace, { lists: ["There"], labels: 0 });
    for (const id of ids) await user.rest.put(`/cards/${id}/labels/${board.labels[0]}`);
    const replies = await Promise.all(
      ids.map((id) => user.rest.put(`/cards/${id}`, { listPublicId: lists[0], index: 3 })),
    );
    expect(replies.map(({ status }) => status)).toEqual(ids.map(() => 200));
    expect(Object.values(await cardsByList()).flat()).toEqual([]);
    expect(
      Object.values(await cardsByList(publicId))
        .flat()
        .toSorted(),
    ).toEqual(ids.toSorted());
    const moved = await app().db.reader.event.count({
      where: { boardPublicId: publicId, type: "card.moved" },
    });
    expect(moved).toBe(20);
    await expectSound(app());
  });

  test("deleting a card while another client moves it", async () => {
    const { user, two, ids, cardsByList } = await start(app(), 12);
    await Promise.all(
      ids.map(async (id) => {
        const [move, gone, again] = await Promise.all([
          user.rest.put(`/cards/${id}`, { listPublicId: two, index: 0 }),
          user.rest.delete(`/cards/${id}`),
          user.rest.delete(`/cards/${id}`),
        ]);
        expect([200, 404]).toContain(move.status);
        expect(new Set([gone.status, again.status])).toEqual(new Set([200, 404]));
        const types = (await eventsOf(app(), id)).map(({ type }) => type);
        expect(types).toEqual([
          "card.created",
          ...(move.status === 200 ? ["card.moved"] : []),
          "card.deleted",
        ]);
        expect((await user.rest.get(`/cards/${id}`)).status).toBe(404);
      }),
    );
    expect(Object.values(await cardsByList())).toEqual([[], []]);
  });

  test("moving a card next to one that is deleted at that moment", async () => {
    const { user, one, two, ids, cardsByList } = await start(app(), 12);
    const [anchors, movers] = [ids.slice(0, 6), ids.slice(6)];
    await Promise.all(
      anchors.map(async (anchor, n) => {
        const [move] = await Promise.all([
          user.rest.put(`/cards/${movers[n]}`, { afterCardPublicId: anchor }),
          user.rest.delete(`/cards/${anchor}`),
        ]);
        expect([200, 409]).toContain(move.status);
      }),
    );
    expect((await cardsByList())[one]?.toSorted()).toEqual(movers.toSorted());
    expect((await cardsByList())[two]).toEqual([]);
  });

  test("an index update without a list id that always answered 500", async () => {
    const { user, one, ids, cardsByList } = await start(app(), 3);
    expect((await user.rest.put(`/cards/${ids[2]}`, { index: 0 })).status).toBe(200);
    expect((await cardsByList())[one]).toEqual([ids[2], ids[0], ids[1]]);
    await user.trpc.card.update.mutate({ cardPublicId: ids[2] ?? "", index: 1 });
    expect((await cardsByList())[one]).toEqual([ids[0], ids[2], ids[1]]);
  });
});
