import { describe, expect, test } from "vitest";
import { startApp, useApp } from "../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../support/make.ts";
import { start, eventsOf } from "./scene.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { findEvents } from "../support/events.ts";

const app = useApp();

describe("failures of other boards:", () => {
  test("one action delivered three times, or not at all: it has one event", async () => {
    const { workspace, board, user, one, two, ids } = await start(app(), 1);
    const [id = ""] = ids;
    const { body: list } = await user.rest.post(`/cards/${id}/checklists`, {
      name: "x",
      items: ["a"],
    });
    const acts: [string[], () => Promise<{ status: number }>][] = [
      [
        ["workspace.updated"],
        () => user.rest.put(`/workspaces/${workspace.publicId}`, { name: "New" }),
      ],
      [
        ["board.created"],
        () =>
          user.rest.post(`/workspaces/${workspace.publicId}/boards`, {
            name: "New",
            lists: ["a", "b"],
          }),
      ],
      [
        ["list.created"],
        () => user.rest.post("/lists", { name: "x", boardPublicId: board.publicId }),
      ],
      [
        ["card.created"],
        () =>
          user.rest.post("/cards", {
            title: "x",
            listPublicId: one,
            labelPublicIds: board.labels,
            checklists: [{ name: "x", items: ["a", "b"] }],
          }),
      ],
      [["card.updated"], () => user.rest.put(`/cards/${id}`, { title: "New", description: "New" })],
      [["card.moved"], () => user.rest.put(`/cards/${id}`, { listPublicId: two })],
      [[], () => user.rest.put(`/cards/${id}`, { listPublicId: two, title: "New" })],
      [["card.label_added"], () => user.rest.put(`/cards/${id}/labels/${board.labels[0]}`)],
      [["card.label_removed"], () => user.rest.put(`/cards/${id}/labels/${board.labels[0]}`)],
      [
        ["label.updated"],
        () => user.rest.put(`/labels/${board.labels[0]}`, { name: "New", colourCode: "#123456" }),
      ],
      [
        ["checklist_item.created"],
        () => user.rest.post(`/checklists/${list.publicId}/items`, { title: "x" }),
      ],
      [
        ["checklist_item.deleted"],
        () => user.rest.delete(`/checklists/items/${list.items[0].publicId}`),
      ],
      [["card.deleted"], () => user.rest.delete(`/cards/${id}`)],
      [[], () => user.rest.get(`/boards/${board.publicId}`)],
    ];
    const { id: workspaceId } = await app().db.reader.workspace.findUniqueOrThrow({
      where: { publicId: workspace.publicId },
    });
    const where = { workspaceId };
    for (const [types, act] of acts) {
      const before = await app().db.reader.event.count({ where });
      expect((await act()).status).toBe(200);
      const events = await findEvents(app(), {
        where,
        orderBy: { id: "asc" },
        skip: before,
      });
      expect(events.map(({ type }) => type)).toEqual(types);
    }
  });

  test("a payload with the state before the change", async () => {
    const { user, two, ids } = await start(app(), 1);
    const [id = ""] = ids;
    await user.rest.put(`/cards/${id}`, {
      title: "After",
      isComplete: true,
      listPublicId: two,
      isArchived: true,
    });
    const { version, title, isComplete, isArchived, updatedAt } = (
      await user.rest.get(`/cards/${id}`)
    ).body;
    const [, ...events] = await eventsOf(app(), id);
    expect(events).toHaveLength(4);
    for (const [nth, { data }] of events.entries()) {
      expect(data).toMatchObject({
        card: { version: version - 3 + nth, title, isComplete, isArchived, updatedAt },
        list: { publicId: two, name: "Two" },
      });
    }
    await user.rest.delete(`/cards/${id}`);
    expect((await eventsOf(app(), id)).at(-1)?.data).toMatchObject({
      card: { version: version + 1 },
    });
  });

  test("a list endpoint whose cursor loops for ever", async () => {
    const { workspace, user, ids } = await start(app(), 30);
    for (const filter of ["", "&types=card.created", "&types=role.deleted"]) {
      const seen: string[] = [];
      const cursors = new Set<string>();
      let cursor = "";
      // The feed goes on for ever, but what there is of it comes to an end.
      for (let page = 1; ; page++) {
        const { status, body } = await user.rest.get(
          `/workspaces/${workspace.publicId}/events?limit=7${cursor && `&cursor=${cursor}`}${filter}`,
        );
        expect(status).toBe(200);
        expect(page).toBeLessThan(20);
        cursor = body.nextCursor;
        // A page without events ends where it began.
        if (body.items.length === 0) break;
        expect(cursors.has(cursor)).toBe(false);
        cursors.add(cursor);
        seen.push(...body.items.map(({ id }: { id: string }) => id));
      }
      expect(new Set(seen).size).toBe(seen.length);
      if (filter === "&types=card.created") expect(seen).toHaveLength(ids.length);
    }
  });

  test("an API answering 200 to a failed write", async () => {
    const own = await startApp();
    try {
      const workspace = await makeWorkspace(own);
      const { lists } = await makeBoard(workspace);
      const { rest } = workspace.admin;
      const id = await makeCard(workspace.admin, lists[0] ?? "");
      await own.db.write(
        sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no more events'; END $$`,
      );
      await own.db.write(
        sql`CREATE TRIGGER refuse BEFORE INSERT ON events EXECUTE FUNCTION refuse()`,
      );
      const replies = [
        await rest.put(`/cards/${id}`, { title: "New", listPublicId: lists[1] }),
        await rest.post("/cards", { title: "New", listPublicId: lists[0] }),
        await rest.delete(`/cards/${id}`),
      ];
      expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
        replies.map(() => [500, "INTERNAL_SERVER_ERROR"]),
      );
      expect(JSON.stringify(replies)).not.toContain("no more events");
      expect(own.errors).toHaveLength(3);
      const { body } = await rest.get(`/cards/${id}`);
      expect(body).toMatchObject({ listPublicId: lists[0], index: 0, version: 1 });
      expect(await own.db.reader.card.count()).toBe(1);
      await own.db.write(sql`DROP TRIGGER refuse ON events`);
      const { body: next } = await rest.post("/cards", { title: "New", listPublicId: lists[0] });
      expect(next.cardNumber).toMatch(/-2$/);
    } finally {
      await own.close();
    }
  });
});
