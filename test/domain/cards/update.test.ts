import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp();

const start = async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const [list = ""] = board.lists;
  const user = workspace.admin;
  const id = await makeCard(user, list, "Before");
  const events = async () =>
    (await findEvents(app(), { where: { cardPublicId: id }, orderBy: { id: "asc" } })).slice(1);
  return { workspace, user, board, list, id, path: `/cards/${id}`, events };
};

describe("card.update", () => {
  test("changes the fields that are given, and no other", async () => {
    const { user, path, id } = await start();
    const dueDate = "2026-01-31T10:00:00.000Z";
    await user.rest.put(path, { description: "Text", dueDate, startDate: dueDate });
    const { status, body, headers } = await user.rest.put(path, { title: " After " });
    expect({ status, body }).toEqual({
      status: 200,
      body: { publicId: id, title: "After", description: "Text", dueDate },
    });
    expect(headers.get("etag")).toBe('"3"');
    expect((await user.rest.get(path)).body).toMatchObject({
      ...body,
      startDate: dueDate,
      version: 3,
    });
  });

  test("clears with null what may be empty, and refuses it elsewhere", async () => {
    const { user, path } = await start();
    const moment = "2026-01-31T10:00:00Z";
    await user.rest.put(path, { description: "Text", dueDate: moment, startDate: moment });
    const { body } = await user.rest.put(path, {
      description: null,
      dueDate: null,
      startDate: null,
    });
    expect(body).toMatchObject({ title: "Before", description: null, dueDate: null });
    expect((await user.rest.get(path)).body).toMatchObject({ ...body, startDate: null });
    for (const field of [
      "title",
      "index",
      "listPublicId",
      "isComplete",
      "isArchived",
      "afterCardPublicId",
    ]) {
      expect((await user.rest.put(path, { [field]: null })).status, field).toBe(400);
    }
  });

  test("stores an empty description as an empty text", async () => {
    const { user, path } = await start();
    await user.rest.put(path, { description: "Text" });
    expect((await user.rest.put(path, { description: "" })).body.description).toBe("");
    expect((await user.rest.get(path)).body.description).toBe("");
  });

  test("without changes is 200, with the same version and no event", async () => {
    const { user, path, events, list } = await start();
    const dueDate = "2026-01-31T10:00:00.000Z";
    await user.rest.put(path, { title: "Same", description: null, dueDate });
    const before = await user.rest.get(path);
    app().advance(1000);
    const nothing = [
      undefined,
      {},
      { title: "Same" },
      { dueDate: "2026-01-31T12:00:00+02:00" },
      { description: null, isComplete: false, isArchived: false, listPublicId: list, index: 0 },
    ];
    for (const body of nothing) {
      const reply = await user.rest.put(path, body);
      expect([reply.status, reply.headers.get("etag")]).toEqual([200, '"2"']);
    }
    expect((await user.rest.get(path)).body).toEqual(before.body);
    expect(await events()).toHaveLength(1);
  });

  test("emits the changes with old and new values, and the new state", async () => {
    const { user, path, events } = await start();
    await user.trpc.card.update.mutate({
      cardPublicId: path.slice(7),
      title: "After",
      description: "Text",
    });
    expect(await events()).toMatchObject([
      {
        type: "card.updated",
        data: { card: { title: "After", description: "Text", version: 2 } },
        changes: {
          title: { from: "Before", to: "After" },
          description: { from: null, to: "Text" },
        },
      },
    ]);
  });

  test("completes and archives with events of their own, and undoes both as changes", async () => {
    const { user, path, events } = await start();
    await user.rest.put(path, { isComplete: true });
    await user.rest.put(path, { isComplete: true });
    await user.rest.put(path, { isArchived: true });
    expect((await user.rest.get(path)).body).toMatchObject({
      isComplete: true,
      isArchived: true,
      index: null,
    });
    await user.rest.put(path, { isComplete: false, isArchived: false });
    expect((await user.rest.get(path)).body).toMatchObject({
      isComplete: false,
      isArchived: false,
      index: 0,
    });
    expect((await events()).map(({ type }) => type)).toEqual([
      "card.completed",
      "card.archived",
      "card.updated",
      "card.unarchived",
    ]);
  });

  test("with a stale If-Match is 412 and changes nothing; with the current one it works once", async () => {
    const { user, path } = await start();
    const put = (tag: string, title: string) =>
      user.rest.put(path, { title }, { headers: { "If-Match": tag } });
    expect(await put('"7"', "No")).toMatchObject({
      status: 412,
      body: { code: "PRECONDITION_FAILED" },
    });
    const read = await user.rest.get(path);
    expect((await put(read.headers.get("etag") ?? "", "Yes")).status).toBe(200);
    expect((await put('"1"', "No")).status).toBe(412);
    expect((await user.rest.get(path)).body).toMatchObject({ title: "Yes", version: 2 });
    const both = await Promise.all([put('"2"', "One"), put('"2"', "Other")]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 412]));
  });

  test("is allowed to the creator of the card, and not to a guest", async () => {
    const { workspace, list, path } = await start();
    const guest = await join(app(), workspace, "guest");
    expect((await guest.rest.put(path, { title: "No" })).status).toBe(403);
    const member = await join(app(), workspace, "member");
    const own = await makeCard(member, list);
    await workspace.admin.rest.post(
      `/workspaces/${workspace.publicId}/members/${member.memberPublicId}/permissions/revoke`,
      { permission: "card:edit" },
    );
    expect((await member.rest.put(path, { title: "No" })).status).toBe(403);
    expect((await member.rest.put(`/cards/${own}`, { title: "Mine" })).status).toBe(200);
  });

  test("of two fields by two clients at once stores both", async () => {
    const { user, path } = await start();
    const both = await Promise.all([
      user.rest.put(path, { title: "New title" }),
      user.rest.put(path, { description: "New text" }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await user.rest.get(path)).body).toMatchObject({
      title: "New title",
      description: "New text",
      version: 3,
    });
  });
});
