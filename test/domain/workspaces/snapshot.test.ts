import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { snapshotLines } from "../../../src/contract/resources/snapshot.ts";
import { upload } from "../attachments/files.ts";
import { useApp } from "../../support/app.ts";
import { readBoard } from "../../support/board.ts";
import { join, makeBoard, makeCard, makeWorkspace, type User } from "../../support/make.ts";
import { waitFor } from "../../support/wait.ts";

const app = useApp();
/** The parameters that add lines. */
const switches = ["archived", "checklists", "attachments", "comments"];

type Any = any;

const fetched = (user: User, path: string, query = "", headers: Record<string, string> = {}) =>
  app().fetch(
    new Request(`http://service/api/v1${path}/snapshot${query}`, {
      headers: { Authorization: `Bearer ${user.token}`, ...headers },
    }),
  );

/** The lines of a snapshot, by kind. */
async function read(user: User, path: string, query = "") {
  const response = await fetched(user, path, query);
  const text = await response.text();
  if (response.status !== 200) return { status: response.status, lines: [], end: undefined };
  const all: Any[] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const { kind, ...line } of all.slice(0, -1)) {
    // No output schema is run on it.
    expect(snapshotLines[kind as keyof typeof snapshotLines].parse(line)).toEqual(line);
  }
  return { status: 200, lines: all.slice(0, -1), end: all.at(-1), headers: response.headers };
}

const of = (lines: Any[], kind: string) =>
  lines.filter((line) => line.kind === kind).map(({ kind: _kind, ...line }) => line);

/** The boards of a snapshot, as `board.get` answers them. */
function boardsIn(lines: Any[], workspacePublicId: string) {
  const without = ({ boardPublicId: _board, ...line }: Any) => line;
  return of(lines, "board").map((board) => {
    const mine = ({ boardPublicId }: Any) => boardPublicId === board.publicId;
    const cards = of(lines, "card").filter(mine);
    const lists = of(lines, "list")
      .filter(mine)
      .map((list) => {
        const own = cards
          .filter(({ listPublicId }) => listPublicId === list.publicId)
          .map(({ description: _d, listPublicId: _l, createdAt: _c, updatedAt: _u, ...card }) =>
            without(card),
          );
        return { ...without(list), cardCount: own.length, cardsOverLimit: 0, cards: own };
      });
    return {
      ...board,
      workspacePublicId,
      lists,
      labels: of(lines, "label").filter(mine).map(without),
      fields: of(lines, "field").filter(mine).map(without),
    };
  });
}

let scene: Awaited<ReturnType<typeof makeScene>>;

async function makeScene() {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const member = await join(app(), workspace, "member");
  const guest = await join(app(), workspace, "guest");
  const open = await makeBoard(workspace, { labels: 2 });
  const closed = await makeBoard(workspace);
  await admin.rest.put(`/boards/${closed.publicId}`, { visibility: "restricted" });
  const cards = [];
  for (const list of [...open.lists, ...closed.lists]) cards.push(await makeCard(admin, list));
  await admin.rest.put(`/cards/${cards[0]}`, { description: "Long", isComplete: true });
  await admin.rest.put(`/cards/${cards[0]}/labels/${open.labels[0]}`);
  await admin.rest.put(`/cards/${cards[0]}/members/${member.memberPublicId}`);
  await admin.rest.post(`/cards/${cards[0]}/comments`, { comment: "Said" });
  await admin.rest.post(`/cards/${cards[0]}/checklists`, { name: "C", items: ["a", "b"] });
  await admin.rest.post(`/cards/${cards[0]}/checklists`, { name: "Empty" });
  await admin.rest.post(`/cards/${cards[1]}/checklists`, { name: "D", items: ["c"] });
  await upload(app(), admin, cards[1] ?? "", "bytes");
  const archived = await makeCard(admin, open.lists[0] ?? "", "Archived");
  await admin.rest.put(`/cards/${archived}`, { isArchived: true });
  const path = `/workspaces/${workspace.publicId}`;
  return { workspace, admin, member, guest, open, closed, cards, archived, path };
}

beforeAll(async () => {
  scene = await makeScene();
});

describe("workspace.snapshot", () => {
  test("shows each reader what board.get and the lists of resources show", async () => {
    const { admin, member, guest, workspace, open, closed, path } = scene;
    for (const user of [admin, member, guest]) {
      const { lines, end } = await read(user, path);
      const ids = user === admin ? [open.publicId, closed.publicId] : [open.publicId];
      const boards = await Promise.all(ids.map((id) => readBoard(user, id)));
      expect(boardsIn(lines, workspace.publicId)).toEqual(boards);
      expect(of(lines, "role")).toEqual((await user.rest.get(`${path}/roles`)).body);
      expect(of(lines, "member")).toEqual((await user.rest.get(`${path}/members`)).body.items);
      const {
        role: _r,
        memberPublicId: _m,
        permissions: _p,
        ...shown
      } = (await user.rest.get(path)).body;
      expect(of(lines, "workspace")).toEqual([shown]);
      expect(end.kind).toBe("end");
      for (const [kind, count] of Object.entries(end.counts))
        expect([kind, of(lines, kind)]).toEqual([kind, expect.objectContaining({ length: count })]);
    }
  });

  test("is narrowed by boards, and widened by archived cards and comments", async () => {
    const { admin, member, open, closed, path, cards, archived } = scene;
    const one = await read(admin, path, `?boardPublicIds=${closed.publicId}`);
    expect(of(one.lines, "board").map(({ publicId }) => publicId)).toEqual([closed.publicId]);
    expect((await read(member, path, `?boardPublicIds=${closed.publicId}`)).status).toBe(404);
    const wide = await read(admin, path, "?archived=true&comments=true");
    const found = of(wide.lines, "card").find(({ publicId }) => publicId === archived);
    expect(found).toMatchObject({ isArchived: true, index: null, boardPublicId: open.publicId });
    expect(of(wide.lines, "comment")).toMatchObject([
      { comment: "Said", cardPublicId: cards[0], author: { name: "Admin" } },
    ]);
    expect(wide.end.counts).toMatchObject({ comment: 1, card: cards.length + 1 });
  });

  test("shows the views of the workspace and of boards that the reader sees, none of them private", async () => {
    const { admin, member, guest, open, closed, path } = scene;
    const save = async (user: User, body: object) => {
      const { status, body: view } = await user.rest.post(`${path}/views`, body);
      expect(status).toBe(200);
      const { workspacePublicId: _w, createdBy: _c, isBroken: _i, broken: _b, ...saved } = view;
      return saved;
    };
    const ours = await save(admin, { name: "Ours", scope: "workspace" });
    const ofBoard = (board: { publicId: string }) =>
      save(admin, { name: "Board", scope: "board", boardPublicId: board.publicId });
    const [onOpen, onClosed] = [await ofBoard(open), await ofBoard(closed)];
    const mine = await save(member, { name: "Mine" });
    const views = async (user: User, query = "") =>
      of((await read(user, path, query)).lines, "view");
    expect(await views(admin)).toEqual([ours, onOpen, onClosed]);
    expect(await views(member)).toEqual([ours, onOpen]);
    expect(await views(guest)).toEqual([ours, onOpen]);
    expect(await views(admin, `?boardPublicIds=${closed.publicId}`)).toEqual([ours, onClosed]);
    await admin.rest.delete(`/views/${onOpen.publicId}`);
    expect(await views(member)).toEqual([ours]);
    for (const [user, { publicId }] of [
      [member, mine],
      [admin, ours],
      [admin, onClosed],
    ] as const)
      expect((await user.rest.delete(`/views/${publicId}`)).status).toBe(200);
  });

  test("shows the parts of cards as card.get and comment.list show them, where asked for", async () => {
    const { admin, path, cards } = scene;
    const parts = ["checklist", "attachment", "comment"];
    const few = await read(admin, path);
    expect(parts.flatMap((kind) => of(few.lines, kind))).toEqual([]);
    const query = "?checklists=true&attachments=true&comments=true";
    const { lines, end } = await read(admin, path, query);
    expect(end.counts).toMatchObject({ checklist: 3, attachment: 1, comment: 1 });
    for (const card of cards) {
      const on = (kind: string) =>
        of(lines, kind)
          .filter(({ cardPublicId }) => cardPublicId === card)
          .map(({ cardPublicId: _card, ...line }) => line);
      const { body } = await admin.rest.get(`/cards/${card}`);
      const { attachments } = body;
      const checklists = body.checklists.map(({ itemCount: _count, ...line }: Any) => line);
      const comments = (await admin.rest.get(`/cards/${card}/comments`)).body.items;
      const shown = on("attachment").map(({ attachmentKind: kind, ...line }) => ({
        ...line,
        kind,
      }));
      expect({ checklists: on("checklist"), attachments: shown, comments: on("comment") }).toEqual({
        checklists,
        attachments,
        comments,
      });
    }
  });

  test("has no line with a field that its own kind would hide", () => {
    for (const [kind, schema] of Object.entries(snapshotLines))
      expect([kind, Object.keys(schema.shape)]).not.toEqual([
        kind,
        expect.arrayContaining(["kind"]),
      ]);
  });

  test("hides what the permissions of its reader hide", async () => {
    const { workspace, admin, open, path } = await makeScene();
    const user = await join(app(), workspace, "member");
    const revoke = (permission: string) =>
      admin.rest.post(`${path}/members/${user.memberPublicId}/permissions/revoke`, { permission });
    for (const permission of ["member:view", "comment:view"]) await revoke(permission);
    const some = await read(user, path, "?comments=true");
    expect(of(some.lines, "board").map(({ publicId }) => publicId)).toEqual([open.publicId]);
    expect(["role", "member", "comment"].flatMap((kind) => of(some.lines, kind))).toEqual([]);
    await revoke("card:view");
    const without = await read(user, path, "?checklists=true&attachments=true");
    expect(["card", "checklist", "attachment"].flatMap((kind) => of(without.lines, kind))).toEqual(
      [],
    );
    const { admin: owner, ...fresh } = await makeScene();
    const noLists = await join(app(), fresh.workspace, "member");
    const member = `${fresh.path}/members/${noLists.memberPublicId}`;
    await owner.rest.post(`${member}/permissions/revoke`, { permission: "list:view" });
    const listless = await read(noLists, fresh.path);
    expect(["list", "card"].flatMap((kind) => of(listless.lines, kind))).toEqual([]);
    await revoke("board:view");
    expect((await read(user, path)).lines.map(({ kind }) => kind)).toEqual(["workspace"]);
    await revoke("workspace:view");
    expect((await read(user, path)).status).toBe(403);
  });

  test("has a cursor from which the feed continues, and an ETag that holds until an event", async () => {
    const { admin, open, path } = scene;
    const { end, headers } = await read(admin, path);
    const tag = { "If-None-Match": headers?.get("etag") ?? "" };
    const again = async () => (await fetched(admin, path, "", tag)).status;
    expect(await again()).toBe(304);
    const card = await makeCard(admin, open.lists[0] ?? "");
    expect(await again()).toBe(200);
    const { items } = (await admin.rest.get(`${path}/events?cursor=${end.cursor}`)).body;
    expect(items.map(({ data }: Any) => data.card.publicId)).toContain(card);
  });

  test("has an ETag with all parameters", async () => {
    const { admin, open, path } = scene;
    const queries = [`boardPublicIds=${open.publicId}`, ...switches.map((name) => `${name}=true`)];
    queries.push(queries.join("&"));
    const tags = new Map<string, string>();
    const check = async (status: number) => {
      for (const [query, tag] of tags) {
        const response = await fetched(admin, path, `?${query}`, { "If-None-Match": tag });
        await response.text();
        expect([query, response.status]).toEqual([query, status]);
      }
    };
    // The cursor moves until the transactions of other tests that ran at the last event have ended.
    await waitFor(async () => {
      for (const query of queries) {
        const { headers } = await read(admin, path, `?${query}`);
        tags.set(query, headers?.get("etag") ?? "");
      }
      await check(304);
    });
    await makeCard(admin, open.lists[0] ?? "");
    await check(200);
  });

  test("is compressed where the client accepts it", async () => {
    const { admin, path } = scene;
    const plain = await fetched(admin, path, "", { "Accept-Encoding": "gzip;q=0" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    const text = await plain.text();
    for (const [encoding, decode] of [
      ["gzip", gunzipSync],
      ["br", brotliDecompressSync],
    ] as const) {
      const small = await fetched(admin, path, "", { "Accept-Encoding": encoding });
      const { headers } = small;
      expect([headers.get("content-encoding"), headers.get("vary")]).toEqual([
        encoding,
        "Accept-Encoding",
      ]);
      expect(headers.get("etag")).toBe(plain.headers.get("etag"));
      expect(decode(Buffer.from(await small.arrayBuffer())).toString()).toBe(text);
    }
  });

  test("over tRPC is the address of the stream", async () => {
    const { admin, path, workspace } = scene;
    const { url } = await admin.trpc.workspace.snapshot.query({
      workspacePublicId: workspace.publicId,
    });
    expect(url).toContain(`/api/v1${path}/snapshot`);
  });
});
