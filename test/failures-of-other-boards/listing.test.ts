import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { createApp } from "../../src/app/http-application.ts";
import { readLag } from "../../src/kernel/jobs/lag.ts";
import { useApp } from "../support/app.ts";
import { join, makeBoard, makeCard, makeUser, makeWorkspace } from "../support/make.ts";

const app = useApp();

/** A workspace in which every listing has several pages. */
async function start() {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const { rest } = admin;
  const home = `/workspaces/${workspace.publicId}`;
  const board = await makeBoard(workspace);
  const [list = "", other = ""] = board.lists;
  const cards: string[] = [];
  const { body: me } = await rest.get(home);
  for (let nth = 0; nth < 5; nth++) {
    await makeBoard(workspace);
    const card = await makeCard(admin, list, `Searched ${nth}`);
    cards.push(card);
    await rest.put(`/cards/${card}`, { title: `Searched again ${nth}` });
    await rest.put(`/cards/${card}/members/${me.memberPublicId}`);
    await rest.post(`/cards/${cards[0]}/comments`, { comment: `Searched ${nth}` });
    await rest.delete(`/cards/${await makeCard(admin, other)}`);
  }
  for (const role of ["member", "guest", "admin"] as const) {
    const who = await join(app(), workspace, role);
    await who.rest.put(`/cards/${cards[0]}/watch`, { watching: true });
    if (role === "member") await who.rest.put(`/cards/${cards[1]}/members/${me.memberPublicId}`);
  }
  for (let nth = 0; nth < 3; nth++) {
    const { admin: host, publicId } = await makeWorkspace(app());
    await host.rest.post(`/workspaces/${publicId}/members/invite`, { email: admin.email });
  }
  const paths = [
    `${home}/boards`,
    `${home}/members`,
    `${home}/trash`,
    `${home}/audit`,
    `${home}/search?query=searched`,
    `/boards/${board.publicId}/cards`,
    `/boards/${board.publicId}/cards?sort=dueDate`,
    `/boards/${board.publicId}/cards?sort=createdAt`,
    `/boards/${board.publicId}/cards?sort=updatedAt`,
    `/boards/${board.publicId}/members`,
    `/boards/${board.publicId}/activities`,
    `/lists/${list}/cards`,
    `/cards/${cards[0]}/activities`,
    `/cards/${cards[0]}/comments`,
    "/users/me/cards",
    "/users/me/notifications",
  ];
  return { workspace, admin, list, paths };
}

const idOf = (item: Record<string, any>) =>
  String(item["publicId"] ?? item["card"]?.publicId ?? JSON.stringify(item));

describe("failures of other boards:", () => {
  test("a list endpoint whose cursor loops for ever", async () => {
    const { admin, list, paths } = await start();
    const cursors: string[] = [];
    for (const path of paths) {
      const page = async (cursor: string | null) => {
        const query = `${path.includes("?") ? "&" : "?"}limit=2`;
        const more = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
        const { status, body } = await admin.rest.get(`${path}${query}${more}`);
        expect({ path, status }).toEqual({ path, status: 200 });
        return body;
      };
      const seen: string[] = [];
      let cursor: string | null = null;
      let pages = 0;
      do {
        const { items, nextCursor } = await page(cursor);
        expect(nextCursor === null || items.length === 2, `${path} has short pages`).toBe(true);
        expect(nextCursor).not.toBe(cursor ?? "");
        seen.push(...items.map(idOf));
        cursor = nextCursor;
        pages++;
        if (cursor !== null) cursors.push(cursor);
        // Another user continues to work meanwhile.
        if (pages === 1 && path.endsWith("/cards")) await makeCard(admin, list, "Late");
      } while (cursor !== null && pages < 200);
      expect(cursor, `${path} does not end`).toBe(null);
      expect(pages, `${path} has but one page`).toBeGreaterThan(1);
      expect(new Set(seen).size, `${path} shows something twice`).toBe(seen.length);
    }
    for (const wrong of ["x", "0", "null", cursors[0]?.slice(0, -2), `${cursors[0]}x`]) {
      for (const path of paths) {
        const query = `${path.includes("?") ? "&" : "?"}cursor=${wrong}`;
        const { status, body } = await admin.rest.get(`${path}${query}`);
        expect({ path, wrong, status }).toEqual({ path, wrong, status: 400 });
        expect(body.issues[0].path).toEqual(["cursor"]);
      }
    }
    const stranger = await makeUser(app());
    const foreign = `/users/me/notifications?cursor=${encodeURIComponent(cursors.at(-1) ?? "")}`;
    expect((await stranger.rest.get(foreign)).status).toBe(400);
  });

  test("a health check that says 200 while the database is down", async () => {
    // A port without a listener.
    const db = await openDatabase(
      "postgres://unknown@127.0.0.1:9/nothing",
      2,
      pino({ level: "silent" }),
    );
    const queueLag = () => readLag(db.read, new Date());
    const states = { queueLag, databaseState: () => db.ping() };
    const service = createApp({ ...app().deps, db, ...states });
    for (const path of ["/api/v1/health", "/readyz", "/trpc/health.check"]) {
      const response = await service.request(path);
      expect({ path, status: response.status }).toEqual({ path, status: 503 });
      expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
    }
    expect((await service.request("/livez")).status).toBe(200);
    await db.close();
  });
});
