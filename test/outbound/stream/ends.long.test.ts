import { serve, type ServerType } from "@hono/node-server";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { createApp } from "../../../src/app/http-application.ts";
import { configOf } from "../../support/config.ts";
import type { Query } from "../../../src/platform/db/query.ts";
import { startService } from "../../../src/app/service.ts";
import { startApp } from "../../support/app.ts";
import { freshDatabase } from "../../support/database.ts";
import { follow } from "../../support/feed.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { insertEvents, queryOn } from "../../support/rows.ts";
import { openStream, readStream } from "../../support/stream.ts";

/** Inserts more events than the buffers of a connection take. */
const insertMany = (write: Query, workspacePublicId: string) =>
  insertEvents(write, workspacePublicId, 3_000, { length: 15_000 });

/** Sends a request on its own connection, and reads only the first bytes of the response. */
async function readNoMore(port: number, path: string, token: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const begun = new Promise<void>((resolve) => {
    socket.once("data", () => {
      socket.pause();
      resolve();
    });
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await begun;
  return socket;
}

test.each([
  ["REST", (id: string) => `/api/v1/workspaces/${id}/events/stream`],
  [
    "tRPC",
    (id: string) =>
      `/trpc/workspace.stream?input=${encodeURIComponent(JSON.stringify({ workspacePublicId: id }))}`,
  ],
])(
  "a client that does not read the end of its stream is disconnected 15 s later: %s",
  async (_, pathOf) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const app = await startApp({ constants: { STREAM_LIMIT: 2 } });
    onTestFinished(() => app.close());
    const accepted: Socket[] = [];
    const { fetch } = createApp(app.deps);
    const server = await new Promise<ServerType>((resolve) => {
      const listening = serve({ fetch, hostname: "127.0.0.1", port: 0 }, () => resolve(listening));
      listening.on("connection", (socket: Socket) => accepted.push(socket));
    });
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const workspace = await makeWorkspace(app);
    const { token } = workspace.admin;
    const { cursor } = await follow(workspace.admin, workspace.publicId);
    await readNoMore(port, pathOf(workspace.publicId), token);
    await insertMany(app.db.write, workspace.publicId);
    await makeBoard(workspace);
    const open = (query = "") =>
      openStream(app, `/workspaces/${workspace.publicId}/events/stream${query}`, { token });
    // Another client that reads everything: when it has this much, the first one is stuck.
    const other = await open(`?cursor=${cursor}`);
    await other.take(3_000);
    await other.close();
    const [stuck] = accepted;
    expect(stuck?.writableNeedDrain).toBe(true);
    const slot = await open();
    expect([slot.status, (await open()).status]).toEqual([200, 429]);
    await slot.close();

    const gone = once(stuck ?? server, "close");
    app.advance(10 * 60_000);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(stuck?.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    await gone;
    const slots = await Promise.all([open(), open()]);
    expect(slots.map(({ status }) => status)).toEqual([200, 200]);
    await Promise.all(slots.map((one) => one.close()));
    expect(app.errors).toEqual([]);
  },
);

/** Starts a service with a workspace. */
async function running() {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const service = await startService(
    configOf({
      DATABASE_URL: database.url,
      PORT: "0",
      APP_SECRET: "a secret for tests, 32 characters",
      RATE_LIMIT: "1000",
      WORKERS: "0",
    }),
    pino({ level: "silent" }),
  );
  const call = async (path: string, body?: object, token?: string): Promise<any> => {
    const headers = {
      "Content-Type": "application/json",
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    };
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    return (await fetch(`${service.url}/api/v1${path}`, { ...init, headers })).json();
  };
  const { accessToken: token } = await call("/auth/register", {
    email: "reader@example.com",
    password: "correct horse battery staple",
    name: "Reader",
  });
  const { publicId } = await call("/workspaces", { name: "Engines" }, token);
  const path = `/workspaces/${publicId}/events/stream`;
  const begin = () => readNoMore(Number(new URL(service.url).port), `/api/v1${path}`, token);
  return { service, database, token, publicId, path, begin, call };
}

test("the service stops with a client that does not read", async () => {
  const { service, database, token, publicId, path, begin, call } = await running();
  await begin();
  const { nextCursor } = await call(`/workspaces/${publicId}/events?cursor=now`, undefined, token);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await insertMany(queryOn(client), publicId);
  await client.end();
  // Another client that reads everything: when it has this much, the first one is stuck.
  const headers = { Authorization: `Bearer ${token}` };
  const other = await readStream(
    await fetch(`${service.url}/api/v1${path}?cursor=${nextCursor}`, { headers }),
  );
  await other.take(3_000);
  await other.close();
  await call(`/workspaces/${publicId}/boards`, { name: "Rings" }, token);
  await service.stop();
  await expect(fetch(service.url)).rejects.toThrow("fetch failed");
});

test("the service stops when its streams have ended, and does not wait for idle connections", async () => {
  const { service, begin } = await running();
  const stream = await begin();
  // A server whose connections end before the service gives up: its stop takes less time.
  const options = { keepAliveTimeout: 8_000 };
  const usual = createServer(options, (_, response) => response.end()).listen(0, "127.0.0.1");
  onTestFinished(() => void usual.close());
  await once(usual, "listening");
  const address = usual.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const socket = connect(port, "127.0.0.1");
  socket.resume().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(usual, "request");

  stream.resume();
  const first = await Promise.race([
    service.stop().then(() => "stopped"),
    once(socket, "close").then(() => "connection closed"),
  ]);
  expect(first).toBe("stopped");
  socket.destroy();
});
