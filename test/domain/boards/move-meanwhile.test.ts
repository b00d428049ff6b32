import { describe, expect, test } from "vitest";
import { eventsIn, tally } from "../../kernel/access/membership.ts";
import { strayReferences } from "../../kernel/access/snapshot.ts";
import { connection } from "../../property/rows.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { alsoIn, move, twoWorkspaces } from "./moving.ts";
import { sql } from "../../../src/platform/db/sql.ts";

const app = useApp();

/** Comes back when so many wait for locks of this database. */
async function waiters(count: number): Promise<void> {
  for (;;) {
    const waiting = await app().db.read(
      sql`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (waiting.length >= count) return;
  }
}

describe("while others change the board", () => {
  test("a move to another board that lost 20 cards while the log said moved", async () => {
    const { here, there, admin } = await twoWorkspaces(app());
    const [board, other] = [
      await makeBoard(here, { labels: 0 }),
      await makeBoard(here, { labels: 0 }),
    ];
    const [to, from] = [board.lists[0] ?? "", other.lists[0] ?? ""];
    const [staying, leaving]: [string[], string[]] = [[], []];
    for (let n = 0; n < 20; n++) {
      staying.push(await makeCard(admin, to));
      leaving.push(await makeCard(admin, from));
    }
    const replies = await Promise.all([
      ...leaving.map((card, n) =>
        admin.rest.put(`/cards/${card}`, { listPublicId: board.lists[n % 3] }),
      ),
      move(admin, board.publicId, there),
      ...staying.map((card, n) =>
        n % 4 === 0
          ? admin.rest.put(`/cards/${card}`, { listPublicId: from })
          : n % 4 === 1
            ? admin.rest.post(`/cards/${card}/checklists`, { name: "Steps", items: ["x"] })
            : n % 4 === 2
              ? admin.rest.post("/cards", { title: "new", listPublicId: board.lists[n % 3] })
              : admin.rest.delete(`/cards/${card}`),
      ),
    ]);
    // A late call finds no list; no call reports success without effect.
    expect(
      Object.keys(tally(replies))
        .toSorted()
        .filter((status) => status !== "404"),
    ).toEqual(["200"]);
    expect(replies[20]?.status).toBe(200);
    expect(await strayReferences(app())).toEqual([]);
    const rows = await app().db.read<{
      publicId: string;
      listBoard: boolean;
      here: boolean;
      workspace: string;
    }>(
      sql`SELECT c."publicId", l."boardId" = c."boardId" AS "listBoard", b."workspaceId" = c."workspaceId" AS here, w."publicId" AS workspace
       FROM cards c JOIN lists l ON l.id = c."listId" JOIN boards b ON b.id = c."boardId" JOIN workspaces w ON w.id = c."workspaceId"
       WHERE w."publicId" = ANY(${[here.publicId, there.publicId]})`,
    );
    expect(rows.filter((row) => !row.listBoard || !row.here)).toEqual([]);
    const made = replies.slice(21).filter(({ status }, n) => n % 4 === 2 && status === 200).length;
    expect(rows).toHaveLength(40 + made);
    const movedOver = replies
      .slice(0, 20)
      .flatMap(({ status }, n) => (status === 200 ? [leaving[n] ?? ""] : []));
    for (const card of movedOver)
      expect((await admin.rest.get(`/cards/${card}`)).body.boardPublicId, card).toBe(
        board.publicId,
      );
  });

  test("calls that waited see the moved board, and write nothing to the old workspace", async () => {
    const { here, there, admin } = await twoWorkspaces(app());
    // One user's calls do not get all the connections that this test needs.
    const another = await join(app(), here, "admin");
    await alsoIn(there, another, "admin");
    const [board, other] = [await makeBoard(here), await makeBoard(here)];
    const [list = "", second = ""] = board.lists;
    const [on, off] = [await makeCard(admin, list), await makeCard(admin, other.lists[0] ?? "")];
    const { body: steps } = await admin.rest.post(`/cards/${on}/checklists`, { name: "Steps" });
    const holder = await connection(app());
    await holder.query("BEGIN");
    await holder.query(`SELECT 1 FROM workspaces WHERE "publicId" = $1 FOR UPDATE`, [
      there.publicId,
    ]);
    const moving = move(admin, board.publicId, there);
    await waiters(1);
    const waiting = [
      admin.rest.post("/cards", { title: "New", listPublicId: list }),
      admin.rest.put(`/cards/${off}`, { listPublicId: second }),
      another.rest.post(`/checklists/${steps.publicId}/items`, { title: "Step" }),
      another.rest.post(`/cards/${on}/checklists`, { name: "More", items: ["x"] }),
      another.rest.post("/labels", {
        name: "Label",
        colourCode: "#000000",
        boardPublicId: board.publicId,
      }),
      admin.rest.post("/lists", { name: "List", boardPublicId: board.publicId }),
    ];
    await waiters(1 + waiting.length);
    await holder.query("COMMIT");
    expect((await moving).status).toBe(200);
    const [made, foreign, ...others] = await Promise.all(waiting);
    expect(made).toMatchObject({
      status: 200,
      body: { workspacePublicId: there.publicId, cardNumber: `${there.cardPrefix}-2` },
    });
    // The list has gone from the workspace that the card is in.
    expect(foreign).toMatchObject({ status: 404, body: { issues: [{ code: "list_not_found" }] } });
    expect(tally(others)).toEqual({ 200: 4 });
    expect((await admin.rest.get(`/cards/${off}`)).body).toMatchObject({
      workspacePublicId: here.publicId,
      listPublicId: other.lists[0],
    });
    expect(await strayReferences(app())).toEqual([]);
    expect((await eventsIn(app(), there.publicId)).map(({ type }) => type)).toContain(
      "card.created",
    );
  });

  test("of two concurrent moves to different workspaces, one succeeds and the other fails", async () => {
    const { here, there, admin } = await twoWorkspaces(app());
    const third = await makeWorkspace(app(), admin);
    const board = await makeBoard(here);
    await makeCard(admin, board.lists[0] ?? "");
    const replies = await Promise.all(
      [there, third].map((target) => move(admin, board.publicId, target)),
    );
    const won = replies.filter(({ status }) => status === 200);
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(won.length).toBeGreaterThan(0);
    const { workspacePublicId } = (await admin.rest.get(`/boards/${board.publicId}`)).body;
    expect(won.map(({ body }) => body.workspacePublicId)).toContain(workspacePublicId);
    expect(await strayReferences(app())).toEqual([]);
  });
});
