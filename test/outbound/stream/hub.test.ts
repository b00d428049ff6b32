import { pino } from "pino";
import pg from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import { createDeps } from "../../../src/app/deps.ts";
import { startApp, useApp } from "../../support/app.ts";
import { follow, write } from "../../support/feed.ts";
import { makeWorkspace } from "../../support/make.ts";
import { insertEvents } from "../../support/rows.ts";
import { openStream, readStream } from "../../support/stream.ts";

const app = useApp({ isolated: true });

async function scene() {
  const workspace = await makeWorkspace(app());
  const path = `/workspaces/${workspace.publicId}/events/stream`;
  const { token } = workspace.admin;
  return { workspace, path, token, open: () => openStream(app(), path, { token }) };
}

describe("the hub", () => {
  test("finds events without a notification", async () => {
    const { workspace, open } = await scene();
    const stream = await open();
    expect((await stream.next())?.event).toBe("ready");
    const [id] = await insertEvents(app().db.write, workspace.publicId, 1);
    expect((await stream.take(1))[0]?.data.id).toBe(id);
    await stream.close();
  });

  test("sends the same events to many streams, each once and in the same order", async () => {
    const { workspace, open } = await scene();
    const streams = await Promise.all(Array.from({ length: 40 }, open));
    for (const stream of streams) expect((await stream.next())?.event).toBe("ready");
    const written: string[] = [];
    for (let round = 0; round < 10; round++) {
      written.push(...(await write(app(), workspace.publicId, 1 + round)));
    }
    for (const stream of streams) {
      const received = await stream.take(written.length);
      expect(received.map(({ data }) => data.id)).toEqual(written);
    }
    await Promise.all(streams.map((stream) => stream.close()));
  });

  test("reads the log once for all streams, and not without streams", async () => {
    const { workspace, open } = await scene();
    const { prototype } = pg.Client;
    const query = Reflect.get(prototype, "query");
    let reads = 0;
    Reflect.set(prototype, "query", function (this: pg.Client, ...values: unknown[]) {
      const [first] = values as [{ text?: string } | undefined];
      if (first?.text?.includes("scan AS MATERIALIZED") === true) reads++;
      return Reflect.apply(query, this, values);
    });
    onTestFinished(() => void Reflect.set(prototype, "query", query));
    const streams = await Promise.all(Array.from({ length: 30 }, open));
    for (const stream of streams) expect((await stream.next())?.event).toBe("ready");
    reads = 0;
    await write(app(), workspace.publicId, 1);
    for (const stream of streams) await stream.take(1);
    // One, and some more when another transaction blocked the log.
    expect(reads).toBeLessThan(15);
    await Promise.all(streams.map((stream) => stream.close()));
    reads = 0;
    await write(app(), workspace.publicId, 1);
    await follow(workspace.admin, workspace.publicId, {});
    expect(reads).toBeLessThan(5);
  });

  test("sends heartbeats, with a cursor after the events that the client cannot see", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    // A new hub, which has not set its timer.
    const fresh = await startApp();
    onTestFinished(() => fresh.close());
    const workspace = await makeWorkspace(fresh);
    const path = `/workspaces/${workspace.publicId}/events/stream?types=board.created`;
    const headers = { Authorization: `Bearer ${workspace.admin.token}` };
    const response = await fresh.fetch(new Request(`http://service/api/v1${path}`, { headers }));
    const reader = response.body?.getReader();
    let text = "";
    const read = async (what: string) => {
      while (!text.includes(what)) {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error(text);
        text += new TextDecoder().decode(value);
      }
    };
    await read("event: ready");
    await write(fresh, workspace.publicId, 3);
    // Another reader has the events, so this stream is past them.
    const { items } = await follow(workspace.admin, workspace.publicId);
    expect(items.length).toBeGreaterThan(3);
    // A slow machine reads the log after the first heartbeat.
    for (let after = items; after.length === items.length;) {
      text = "";
      await vi.advanceTimersByTimeAsync(15_000);
      await read("event: heartbeat");
      await read('"heartbeat"');
      const cursor = /id: (\S+)\nevent: heartbeat\n/.exec(text)?.[1];
      expect(cursor).toBeDefined();
      ({ items: after } = await follow(workspace.admin, workspace.publicId, { cursor }));
    }
    await reader?.cancel();
  });
});

test("no log contains a ticket", async () => {
  const { workspace, path } = await scene();
  const { body } = await workspace.admin.rest.post("/auth/stream-ticket");
  const lines: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  const { config, db, clock } = app().deps;
  const deps = await createDeps({ config, db, clock, log, stopping: () => false });
  onTestFinished(() => deps.hub.stop());
  const logged = createApp(deps);
  const response = () => logged.request(`/api/v1${path}?ticket=${body.ticket}`);
  const stream = await readStream(await response());
  expect((await stream.next())?.event).toBe("ready");
  await stream.close();
  expect((await response()).status).toBe(401);
  expect((await logged.request(`/api/v1${path}?ticket=${body.ticket}&unknown=1`)).status).toBe(401);
  await logged.request(`/trpc/workspace.stream?ticket=${body.ticket}`);
  await logged.request(`/api/v1/nowhere?ticket=${body.ticket}`);
  expect(lines.length).toBeGreaterThan(4);
  expect(lines.join("\n")).not.toContain(body.ticket);
  expect(lines.join("\n")).toContain("stream ended");
});
