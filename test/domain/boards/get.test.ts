import { once } from "node:events";
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

describe("board.get shows one moment", () => {
  test("when a list and a card are added while it reads, and the feed from its cursor has both", async () => {
    const workspace = await makeWorkspace(app());
    const { admin } = workspace;
    const board = await makeBoard(workspace);
    const { db } = app().deps;
    const another = await join(app(), workspace, "member");
    const arrive = async () => {
      const fields = { name: "Late", boardPublicId: board.publicId };
      const { body } = await another.rest.post("/lists", fields);
      return [body.publicId, await makeCard(another, body.publicId, "Late")];
    };
    let came: string[] = [];
    const readSnapshot: typeof db.readSnapshot = (run) =>
      db.readSnapshot((query) =>
        run(async <Row>(statement: Sql) => {
          // The target was read before, the cards are read after it.
          if (String(statement).includes("SELECT l.*")) came = await arrive();
          else if (!String(statement).includes("caller"))
            await expect.poll(() => came).not.toEqual([]);
          return query<Row>(statement);
        }),
      );
    const call = withDeps(app(), { db: { ...db, readSnapshot } });
    const { body } = await call(request("GET", `/boards/${board.publicId}`, admin.token));
    expect(body.lists).toHaveLength(3);
    expect(JSON.stringify(body)).not.toContain("Late");
    const path = `/workspaces/${workspace.publicId}/events?cursor=${body.cursor}`;
    const { items } = (await admin.rest.get(path)).body;
    expect(items.map(({ type, data }: any) => [type, (data.card ?? data.list).publicId])).toEqual([
      ["list.created", came[0]],
      ["card.created", came[1]],
    ]);
  });

  test("and a cursor before every transaction that it does not see", async () => {
    const workspace = await makeWorkspace(app());
    const { admin } = workspace;
    const { publicId, lists } = await makeBoard(workspace);
    const late = await makeCard(admin, lists[0] ?? "");
    const read = async () => (await admin.rest.get(`/boards/${publicId}`)).body;
    const [gate, begun] = [new AbortController(), new AbortController()];
    const open = ({ signal }: AbortController) =>
      signal.aborted ? undefined : once(signal, "abort").then(() => undefined);
    const { db } = app().deps;
    // A write that has written its events, and commits after the read.
    const transact: typeof db.transact = (run) =>
      db.transact(async (...given) => {
        const result = await run(...given);
        begun.abort();
        await open(gate);
        return result;
      });
    const call = withDeps(app(), { db: { ...db, transact } });
    const writing = call(request("PUT", `/cards/${late}`, admin.token, { title: "Late" }));
    await open(begun);
    const board = await read();
    gate.abort();
    await writing;
    expect(JSON.stringify(board)).not.toContain("Late");
    const path = `/workspaces/${workspace.publicId}/events?cursor=${board.cursor}`;
    const { items } = (await admin.rest.get(path)).body;
    const changed = items.map(({ type, data }: any) => [type, data.card.publicId]);
    expect(changed).toEqual([["card.updated", late]]);
  });

  test("with the cursor in `Feed-Cursor` as well, over REST and tRPC, and in a 304", async () => {
    const workspace = await makeWorkspace(app());
    const { admin } = workspace;
    const board = await makeBoard(workspace);
    const path = `/boards/${board.publicId}`;
    const { headers, body } = await admin.rest.get(path);
    expect(headers.get("feed-cursor")).toBe(body.cursor);
    const overTrpc = await admin.trpc.board.get.query({ boardPublicId: board.publicId });
    expect({ ...overTrpc, cursor: body.cursor }).toEqual(body);
    // An event elsewhere moves the cursor, and leaves the board and its ETag alone.
    await makeBoard(workspace);
    const sent = { "If-None-Match": headers.get("etag") ?? "" };
    const order = (cursor: string | null) => cursor?.split(".").at(-1) ?? "";
    // A transaction that still runs holds the cursor back.
    const isLater = async () => {
      const again = await app().call({ method: "GET", path, token: admin.token, headers: sent });
      expect(again.status).toBe(304);
      return order(again.headers.get("feed-cursor")) > order(body.cursor);
    };
    await expect.poll(isLater).toBe(true);
  });
});
