import { connect } from "node:net";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import { openDatabase } from "../../../src/platform/db/database.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { exported } from "../../transfer/exports/fetching.ts";
import { fill } from "../../transfer/exports/many.ts";
import { useApp } from "../../support/app.ts";
import { listen } from "../../support/listen.ts";
import {
  makeBoard,
  makeCard,
  makeUser,
  makeWorkspace,
  type Workspace,
} from "../../support/make.ts";

const app = useApp();
let port: number;
let workspace: Workspace;
let list: string;
beforeAll(async () => {
  workspace = await makeWorkspace(app());
  list = (await makeBoard(workspace)).lists[0] ?? "";
  await fill(app(), list, { cards: 3_000, comments: 2, events: 2 });
  const { fetch } = createApp(app().deps);
  const server = await listen(fetch);
  port = server.port;
  return server.close;
});

const path = () => `/api/v1/workspaces/${workspace.publicId}/export`;
const headers = (token = workspace.admin.token) => ({ Authorization: `Bearer ${token}` });

/** Starts an export without reading it. */
async function begin(token?: string, query = "") {
  const request = new Request(`http://service${path()}${query}`, { headers: headers(token) });
  const response = await createApp(app().deps).fetch(request);
  // Also after a failure: an export that is not read holds one of four snapshots.
  onTestFinished(() => cancel(response).catch(() => undefined));
  return response;
}
/** The response to HEAD. */
const looked = async (token?: string) => {
  const url = `http://service${path()}`;
  const request = new Request(url, { method: "HEAD", headers: headers(token) });
  return (await createApp(app().deps).fetch(request)).status;
};
const cancel = async (response: Response) => response.body?.cancel();

/** The number of open transactions of exports. */
async function held(): Promise<number[]> {
  const rows = await app().db.read<{ pid: number }>(
    sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database()
       AND application_name = 'workspace-board-service exports' AND xact_start IS NOT NULL`,
  );
  return rows.map(({ pid }) => pid);
}
const settled = async () => {
  await expect.poll(held, { interval: 10 }).toEqual([]);
};

describe("an export", () => {
  test("is a consistent snapshot during concurrent writes", async () => {
    const response = await begin();
    const reader = response.body?.getReader();
    onTestFinished(() => reader?.cancel());
    const first = await reader?.read();
    await makeCard(workspace.admin, list, "Came too late");
    const last = await app().db.reader.card.findFirst({
      where: { title: "Card 2999", list: { publicId: list } },
    });
    const change = { title: "Changed too late" };
    expect((await workspace.admin.rest.put(`/cards/${last?.publicId}`, change)).status).toBe(200);
    let text = Buffer.from(first?.value ?? []).toString();
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      text += Buffer.from(part.value).toString();
    }
    expect(text.endsWith('"complete":true}\n')).toBe(true);
    expect(text).not.toContain("too late");
    expect(JSON.parse(text).counts).toMatchObject({ cards: 3_000, comments: 6_000 });
    await settled();
  });

  test("uses its own connection, with two exports per user", async () => {
    const mine = [await begin(), await begin()];
    const third = await Promise.all([begin().then(({ status }) => status), looked()]);
    expect(third).toEqual([429, 429]);
    const others = await Promise.all([makeUser(app()), makeUser(app())]);
    for (const user of others) {
      const { body } = await workspace.admin.rest.post(
        `/workspaces/${workspace.publicId}/invites`,
        { role: "admin" },
      );
      await user.rest.post("/invites/accept", { inviteCode: body.inviteCode });
    }
    const [other, another] = others.map(({ token }) => token);
    const theirs = [await begin(other), await begin(other)];
    expect(theirs.map(({ status }) => status)).toEqual([200, 200]);
    const [refused, seen] = await Promise.all([begin(another), looked(another)]);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(seen).toBe(503);
    await Promise.all([...mine, ...theirs].map(cancel));
    await settled();
    const again = await begin(another);
    expect(again.status).toBe(200);
    await cancel(again);
    await settled();
  });

  test("with HEAD does not count as a running export", async () => {
    for (let count = 0; count < 5; count++) expect(await looked()).toBe(200);
    await settled();
    expect(await Promise.all([looked(), looked()])).toEqual([200, 200]);
    await settled();
  });

  test("ends its transaction when the client disconnects, as document and archive", async () => {
    for (const query of ["", "?files=true"]) {
      const socket = connect(port, "127.0.0.1");
      socket.write(
        `GET ${path()}${query} HTTP/1.1\r\nHost: service\r\nAuthorization: Bearer ${workspace.admin.token}\r\n\r\n`,
      );
      await expect.poll(async () => (await held()).length, { interval: 5 }).toBe(1);
      socket.destroy();
      await settled();
    }
  });

  test("that the database aborts is cut off visibly", async () => {
    const response = await fetch(`http://127.0.0.1:${port}${path()}`, { headers: headers() });
    await expect.poll(held).toHaveLength(1);
    const [pid] = await held();
    await app().db.read(sql`SELECT pg_terminate_backend(${pid ?? null}::int)`);
    await expect(response.text()).rejects.toThrow();
    await settled();
    const whole = await exported(app(), workspace.admin.token, workspace.publicId);
    expect(whole.complete).toBe(true);
  });

  test("does not prevent the database from closing", async () => {
    const db = await openDatabase(app().url, 2, app().deps.log);
    const { fetch: handle } = createApp({ ...app().deps, db });
    const response = await handle(new Request(`http://service${path()}`, { headers: headers() }));
    await db.close();
    await expect(response.text()).rejects.toThrow();
    await settled();
  });
});
