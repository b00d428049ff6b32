import { describe, expect, test } from "vitest";
import { eventsIn, setOverride, tally } from "../access/standing.ts";
import { strayReferences } from "../access/snapshot.ts";
import { useApp } from "../support/app.ts";
import { as } from "../support/as.ts";
import { join, makeBoard, makeCard, makeUser, makeWorkspace, type User, type Workspace } from "../support/make.ts";

const app = useApp();

type Card = { title: string; cardNumber: string; publicId: string };

/** Two workspaces of one admin. */
async function twoWorkspaces() {
  const here = await makeWorkspace(app());
  const there = await makeWorkspace(app(), here.admin);
  return { here, there, admin: here.admin };
}

const move = (user: User, board: string, { publicId }: Workspace) =>
  user.rest.post(`/boards/${board}/move`, { workspacePublicId: publicId });

/** Lets somebody who is in one workspace into another as well; answers their member there. */
async function alsoIn(workspace: Workspace, user: User, role = "member"): Promise<string> {
  const { body } = await workspace.admin.rest.post(`/workspaces/${workspace.publicId}/invites`, { role });
  return (await user.rest.post("/invites/accept", { inviteCode: body.inviteCode })).body.memberPublicId;
}

describe("board.move", () => {
  test("takes everything along: lists, cards, labels, checklists, comments and attachments, in their order", async () => {
    const { here, there, admin } = await twoWorkspaces();
    const board = await makeBoard(here, { lists: ["One", "Two"], labels: 2 });
    const { body: card } = await admin.rest.post("/cards", {
      title: "Full",
      listPublicId: board.lists[0],
      labelPublicIds: board.labels,
      checklists: [{ name: "Steps", items: ["x", "y"] }],
    });
    await makeCard(admin, board.lists[0] ?? "", "Last");
    await app().db.read(
      `WITH c AS (SELECT * FROM cards WHERE "publicId" = $1),
         co AS (INSERT INTO comments ("publicId", "workspaceId", "cardId", comment) SELECT 'comment' || id, "workspaceId", id, 'Said' FROM c)
       INSERT INTO attachments ("publicId", "workspaceId", "cardId", kind, status, filename, "contentType", url)
       SELECT 'attachment' || id, "workspaceId", id, 'link', 'stored', 'a', 'text/html', 'https://example.com' FROM c`,
      [card.publicId],
    );
    await makeCard(admin, (await makeBoard(there)).lists[0] ?? "", "There before");
    const before = (await admin.rest.get(`/boards/${board.publicId}`)).body;
    const { status, body, headers } = await move(admin, board.publicId, there);
    expect(status).toBe(200);
    expect(headers.get("etag")).toBe('"2"');
    const renumbered = before.lists.map((list: { cards: Card[] }) => ({
      ...list,
      cards: list.cards.map((one, place) => ({ ...one, cardNumber: `${there.cardPrefix}-${place + 2}` })),
    }));
    expect(body).toEqual({ ...before, workspacePublicId: there.publicId, lists: renumbered, version: 2, updatedAt: body.updatedAt });
    expect((await admin.rest.get(`/boards/${board.publicId}`)).body).toEqual(body);
    expect((await admin.rest.get(`/cards/${card.publicId}`)).body).toMatchObject({
      workspacePublicId: there.publicId,
      commentCount: 1,
      attachmentCount: 1,
      checklists: [{ items: [{ title: "x" }, { title: "y" }] }],
    });
    expect(await strayReferences(app())).toEqual([]);
    const listed = async ({ publicId }: Workspace) =>
      (await admin.rest.get(`/workspaces/${publicId}/boards`)).body.items.map((one: { publicId: string }) => one.publicId);
    expect(await listed(here)).toEqual([]);
    expect(await listed(there)).toContain(board.publicId);
  });

  test("numbers the cards anew in the order of the old numbers, which are kept and never given out again", async () => {
    const { here, there, admin } = await twoWorkspaces();
    const board = await makeBoard(here, { lists: ["One"] });
    const [list = ""] = board.lists;
    for (const title of ["1", "2", "3"]) await admin.rest.post("/cards", { title, listPublicId: list, index: 0 });
    const gone = await makeCard(admin, list, "4");
    await admin.rest.delete(`/cards/${gone}`);
    const numbers = async () => {
      const { body } = await admin.rest.get(`/boards/${board.publicId}`);
      return body.lists[0].cards.map(({ title, cardNumber }: Card) => `${title} is ${cardNumber.split("-")[1]}`).toSorted();
    };
    const aliases = ({ publicId }: Workspace) =>
      app().db.read<{ number: number; title: string }>(
        `SELECT a.number, c.title FROM card_aliases a JOIN cards c ON c.id = a."cardId" JOIN workspaces w ON w.id = a."workspaceId"
         WHERE w."publicId" = $1 ORDER BY a.number`,
        [publicId],
      );
    const kept = (first: number) => ["1", "2", "3", "4"].map((title, place) => ({ number: first + place, title }));
    await move(admin, board.publicId, there);
    expect(await numbers()).toEqual(["1 is 1", "2 is 2", "3 is 3"]);
    expect(await aliases(here)).toEqual(kept(1));
    await move(admin, board.publicId, here);
    expect(await numbers()).toEqual(["1 is 5", "2 is 6", "3 is 7"]);
    expect(await aliases(there)).toEqual(kept(1));
    expect(await aliases(here)).toEqual(kept(1));
    const { body } = await admin.rest.post("/cards", { title: "next", listPublicId: list });
    expect(body.cardNumber).toBe(`${here.cardPrefix}-9`);
  });

  test("is told once in each of the two workspaces, and once in the history of the board", async () => {
    const { here, there, admin } = await twoWorkspaces();
    const board = await makeBoard(here);
    const before = [(await eventsIn(app(), here.publicId)).length, (await eventsIn(app(), there.publicId)).length];
    const { body } = await move(admin, board.publicId, there);
    const [left, came] = [await eventsIn(app(), here.publicId), await eventsIn(app(), there.publicId)];
    const told = [...left.slice(before[0]), ...came.slice(before[1])];
    expect(told).toHaveLength(2);
    for (const event of told) {
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
    expect(items.map(({ type }: { type: string }) => type)).toEqual(["board.moved", "board.created"]);
    await move(admin, board.publicId, here);
    const again = (await admin.rest.get(`/boards/${board.publicId}/activities`)).body.items;
    expect(again.map(({ type }: { type: string }) => type)).toEqual(["board.moved", "board.moved", "board.created"]);
  });

  test("keeps on the board and its cards those who are members there too, and takes off all others", async () => {
    const { here, there, admin } = await twoWorkspaces();
    const [both, left] = [await join(app(), here, "member"), await join(app(), here, "member")];
    const bothThere = await alsoIn(there, both);
    const board = await makeBoard(here);
    for (const { memberPublicId } of [both, left]) await admin.rest.put(`/boards/${board.publicId}/members/${memberPublicId}`);
    await admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
    for (const user of [both, left]) await user.rest.put(`/boards/${board.publicId}/favourite`, { favourite: true });
    const { body: card } = await admin.rest.post("/cards", {
      title: "Ours",
      listPublicId: board.lists[0],
      memberPublicIds: [both.memberPublicId, left.memberPublicId],
      checklists: [{ name: "Steps", items: ["his", "hers"] }],
    });
    await app().db.read(
      `UPDATE checklist_items i SET "memberId" = m.id FROM members m
       WHERE (i.title = 'his' AND m."publicId" = $1) OR (i.title = 'hers' AND m."publicId" = $2)`,
      [both.memberPublicId, left.memberPublicId],
    );
    await app().db.read(
      `INSERT INTO card_watchers ("cardId", "userId") SELECT c.id, u.id FROM cards c, users u WHERE c."publicId" = $1 AND u."publicId" = ANY($2)`,
      [card.publicId, [both.publicId, left.publicId]],
    );
    expect((await move(admin, board.publicId, there)).status).toBe(200);
    const { body } = await both.rest.get(`/cards/${card.publicId}`);
    expect(body.members.map(({ publicId }: { publicId: string }) => publicId)).toEqual([bothThere]);
    expect(body.checklists[0].items.map((item: { memberPublicId: string }) => item.memberPublicId)).toEqual([bothThere, null]);
    expect((await left.rest.get(`/boards/${board.publicId}`)).status).toBe(403);
    const users = async (table: string) =>
      (await app().db.read<{ publicId: string }>(`SELECT u."publicId" FROM ${table} t JOIN users u ON u.id = t."userId"`, [])).map(
        ({ publicId }) => publicId,
      );
    for (const table of ["card_watchers", "board_favourites"]) expect(await users(table), table).toEqual([both.publicId]);
    const seeing = (await both.rest.get(`/boards/${board.publicId}/members`)).body.items;
    expect(seeing.map(({ publicId }: { publicId: string }) => publicId)).toContain(bothThere);
    expect(seeing).toHaveLength(2);
    expect(await strayReferences(app())).toEqual([]);
  });

  test("ends the webhooks that were bound to it, so that none tells of another workspace", async () => {
    const { here, there, admin } = await twoWorkspaces();
    const board = await makeBoard(here);
    const hook = { name: "Hook", url: "https://example.com/hook", events: ["*"] };
    await app().db.read(
      `INSERT INTO webhooks ("publicId", "workspaceId", "boardId", name, url, events, secret)
       SELECT v.id, w.id, CASE WHEN v.bound THEN b.id END, $3, $4, '{*}', 'x'
       FROM workspaces w, boards b, (VALUES ('webhookbound', true), ('webhookwhole', false)) v(id, bound) WHERE w."publicId" = $1 AND b."publicId" = $2`,
      [here.publicId, board.publicId, hook.name, hook.url],
    );
    await move(admin, board.publicId, there);
    const ids = async ({ publicId }: Workspace) =>
      (await admin.rest.get(`/workspaces/${publicId}/webhooks`)).body.map((one: { publicId: string }) => one.publicId);
    expect(await ids(here)).toEqual(["webhookwhole"]);
    expect(await ids(there)).toEqual([]);
    expect(await strayReferences(app())).toEqual([]);
  });

  test("gives the board a suffix when its slug is taken there", async () => {
    const { here, there, admin } = await twoWorkspaces();
    const make = async ({ publicId }: Workspace) =>
      (await admin.rest.post(`/workspaces/${publicId}/boards`, { name: "Plan" })).body.publicId;
    const [mine] = [await make(here), await make(there)];
    expect((await move(admin, mine, there)).body.slug).toMatch(/^plan-[a-z0-9]{6}$/);
  });

  test("needs board:delete here and board:create there, whoever made the board", async () => {
    const here = await makeWorkspace(app());
    const user = await makeUser(app());
    const mine = await alsoIn(here, user);
    const there = await makeWorkspace(app());
    const board = (await user.rest.post(`/workspaces/${here.publicId}/boards`, { name: "Mine" })).body.publicId;
    const where = async () => (await here.admin.rest.get(`/boards/${board}`)).body.workspacePublicId;
    expect((await move(user, board, there)).status).toBe(403);
    await setOverride(app(), mine, "board:delete", true);
    expect((await move(user, board, there)).status).toBe(403);
    const guest = await alsoIn(there, user, "guest");
    expect((await move(user, board, there)).status).toBe(403);
    expect((await user.rest.post(`/boards/${board}/move`, { workspacePublicId: "thereisnosuch" })).status).toBe(404);
    expect(await where()).toBe(here.publicId);
    await setOverride(app(), guest, "board:create", true);
    for (const bounds of [{ boardPublicId: board }, { workspacePublicId: here.publicId }, { readOnly: true }]) {
      const key = (await user.rest.post("/auth/api-keys", { name: "key", ...bounds })).body.key;
      const { status } = await as(app(), key).rest.post(`/boards/${board}/move`, { workspacePublicId: there.publicId });
      expect(status).toBe(403);
    }
    expect(await where()).toBe(here.publicId);
    expect((await move(user, board, there)).status).toBe(200);
    expect((await user.rest.get(`/boards/${board}`)).body.workspacePublicId).toBe(there.publicId);
  });

  test("to where it is changes nothing and says nothing", async () => {
    const { here, admin } = await twoWorkspaces();
    const board = await makeBoard(here);
    const before = await eventsIn(app(), here.publicId);
    const { status, body } = await move(admin, board.publicId, here);
    expect({ status, body }).toEqual({ status: 200, body: (await admin.rest.get(`/boards/${board.publicId}`)).body });
    expect(await eventsIn(app(), here.publicId)).toEqual(before);
  });

  test("heeds If-Match, and is done once for one Idempotency-Key", async () => {
    const { here, there, admin } = await twoWorkspaces();
    const board = await makeBoard(here);
    const input = { workspacePublicId: there.publicId };
    const go = (headers: Record<string, string>) => admin.rest.post(`/boards/${board.publicId}/move`, input, { headers });
    expect((await go({ "If-Match": '"7"' })).status).toBe(412);
    const [first, second] = [await go({ "Idempotency-Key": "once" }), await go({ "Idempotency-Key": "once" })];
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await eventsIn(app(), there.publicId, "board.moved")).toHaveLength(1);
  });

  test("takes the trash along, from which cards come back with their new numbers", async () => {
    const { here, there, admin } = await twoWorkspaces();
    const board = await makeBoard(here);
    const card = await makeCard(admin, board.lists[0] ?? "");
    await admin.rest.delete(`/cards/${card}`);
    await move(admin, board.publicId, there);
    await app().db.read(`UPDATE cards SET "deletedAt" = NULL WHERE "publicId" = $1`, [card]);
    expect((await admin.rest.get(`/cards/${card}`)).body.cardNumber).toBe(`${there.cardPrefix}-1`);
  });
});

describe("while others are at work on the board", () => {
  test("a move to another board that lost 20 cards while the log said moved", { timeout: 60_000 }, async () => {
    const { here, there, admin } = await twoWorkspaces();
    const [board, other] = [await makeBoard(here, { labels: 0 }), await makeBoard(here, { labels: 0 })];
    const [to, from] = [board.lists[0] ?? "", other.lists[0] ?? ""];
    const [staying, leaving]: [string[], string[]] = [[], []];
    for (let n = 0; n < 20; n++) {
      staying.push(await makeCard(admin, to));
      leaving.push(await makeCard(admin, from));
    }
    const replies = await Promise.all([
      ...leaving.map((card, n) => admin.rest.put(`/cards/${card}`, { listPublicId: board.lists[n % 3] })),
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
    // Whoever comes too late finds no such list any more; nobody is told that it went well when it did not.
    expect(Object.keys(tally(replies)).toSorted().filter((status) => status !== "404")).toEqual(["200"]);
    expect(replies[20]?.status).toBe(200);
    expect(await strayReferences(app())).toEqual([]);
    const rows = await app().db.read<{ publicId: string; listBoard: boolean; here: boolean; workspace: string }>(
      `SELECT c."publicId", l."boardId" = c."boardId" AS "listBoard", b."workspaceId" = c."workspaceId" AS here, w."publicId" AS workspace
       FROM cards c JOIN lists l ON l.id = c."listId" JOIN boards b ON b.id = c."boardId" JOIN workspaces w ON w.id = c."workspaceId"
       WHERE w."publicId" = ANY($1)`,
      [[here.publicId, there.publicId]],
    );
    expect(rows.filter((row) => !row.listBoard || !row.here)).toEqual([]);
    const made = replies.slice(21).filter(({ status }, n) => n % 4 === 2 && status === 200).length;
    expect(rows).toHaveLength(40 + made);
    const movedOver = replies.slice(0, 20).flatMap(({ status }, n) => (status === 200 ? [leaving[n] ?? ""] : []));
    for (const card of movedOver) expect((await admin.rest.get(`/cards/${card}`)).body.boardPublicId, card).toBe(board.publicId);
  });

  test("of two who move it at once to different workspaces one does, and the other is told", async () => {
    const { here, there, admin } = await twoWorkspaces();
    const third = await makeWorkspace(app(), admin);
    const board = await makeBoard(here);
    await makeCard(admin, board.lists[0] ?? "");
    const replies = await Promise.all([there, third].map((target) => move(admin, board.publicId, target)));
    const won = replies.filter(({ status }) => status === 200);
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(won.length).toBeGreaterThan(0);
    const { workspacePublicId } = (await admin.rest.get(`/boards/${board.publicId}`)).body;
    expect(won.map(({ body }) => body.workspacePublicId)).toContain(workspacePublicId);
    expect(await strayReferences(app())).toEqual([]);
  });
});

test("a key that is bound to a board moves no card off it", async () => {
  const { here, admin } = await twoWorkspaces();
  const [board, other] = [await makeBoard(here), await makeBoard(here)];
  const card = await makeCard(admin, board.lists[0] ?? "");
  const { body } = await admin.rest.post("/auth/api-keys", { name: "bound", boardPublicId: board.publicId });
  const bound = as(app(), body.key);
  expect((await bound.rest.put(`/cards/${card}`, { listPublicId: other.lists[0] })).status).toBe(404);
  expect((await bound.rest.put(`/cards/${card}`, { listPublicId: board.lists[1] })).status).toBe(200);
});
