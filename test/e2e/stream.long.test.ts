import {
  createTRPCClient,
  httpLink,
  httpSubscriptionLink,
  retryLink,
  splitLink,
} from "@trpc/client";
import { EventSource } from "eventsource";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { configOf } from "../support/config.ts";
import { eventTypes } from "../../src/contract/events.ts";
import type { AppRouter } from "../../src/app/router/index.ts";
import { startService, type Service } from "../../src/app/service.ts";
import { freshDatabase, type FreshDatabase } from "../support/database.ts";
import { insertEvents, queryOn } from "../support/rows.ts";

let database: FreshDatabase;
let services: Service[];
let client: pg.Pool;

const start = () =>
  startService(
    configOf({
      DATABASE_URL: database.url,
      PORT: "0",
      APP_SECRET: "a secret for tests, 32 characters",
      RATE_LIMIT: "1000000",
      AUTH_RATE_LIMIT: "1000000",
      WORKERS: "0",
    }),
    pino({ level: "error" }),
  );

beforeAll(async () => {
  database = await freshDatabase();
  services = [await start(), await start()];
  client = new pg.Pool({ connectionString: database.url, max: 4 });
});

afterAll(async () => {
  await client.end();
  await Promise.all(services.map((service) => service.stop()));
  await database.drop();
});

async function call(url: string, path: string, body?: object, token?: string): Promise<any> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

let count = 0;
async function scene() {
  const url = services[0]?.url ?? "";
  const { accessToken: token } = await call(url, "/auth/register", {
    email: `streams-${++count}@example.com`,
    password: "correct horse battery staple",
    name: "Ada",
  });
  const { publicId: workspace } = await call(url, "/workspaces", { name: "Engines" }, token);
  return { url, token, workspace };
}

/** Inserts events in one transaction, like an import, and returns their public ids. */
const bulk = (workspace: string, size: number) => insertEvents(queryOn(client), workspace, size);

/** Resolves when `isDone` is true after an item. */
function counter<Item>(isDone: (seen: Item[]) => boolean) {
  const seen: Item[] = [];
  let resolve = () => {};
  const done = new Promise<void>((settle) => {
    resolve = settle;
  });
  return {
    seen,
    done,
    add(item: Item) {
      seen.push(item);
      if (isDone(seen)) resolve();
    },
  };
}

/** An EventSource with a credential that listens to every type. */
function source(url: string, token: string, hear: (type: string, message: MessageEvent) => void) {
  const events = new EventSource(url, {
    fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } }),
  });
  for (const type of [...eventTypes, "ready", "resync"]) {
    events.addEventListener(type, (message) => hear(type, message));
  }
  return events;
}

test("a client that reconnects 50 times during 10,000 events gets each event once", async () => {
  const { workspace, token } = await scene();
  const total = 10_000;
  const { seen, done, add } = counter<string>((ids) => ids.length >= total);
  let last = "";
  const now: { open?: EventSource } = {};
  let connections = 0;
  const connect = () => {
    const { url } = services[connections % 2] ?? { url: "" };
    const from = last === "" ? "" : `?cursor=${last}`;
    let left = connections < 50 ? 1 + Math.floor(Math.random() * 2 * (total / 50)) : Infinity;
    const events = source(
      `${url}/api/v1/workspaces/${workspace}/events/stream${from}`,
      token,
      (type, message) => {
        // Ignore events after close.
        if (now.open !== events) return;
        last = message.lastEventId;
        if (type === "ready") begun();
        if (type === "ready" || type === "resync") return;
        add(JSON.parse(message.data).id);
        if (--left > 0) return;
        connections++;
        events.close();
        connect();
      },
    );
    now.open = events;
  };
  let begun = () => {};
  const ready = new Promise<void>((resolve) => {
    begun = resolve;
  });
  connect();
  await ready;
  const written: string[] = [];
  // Bulk and single writes from several connections.
  const write = async () => {
    while (written.length < total) {
      const size = Math.min(total - written.length, 1 + Math.floor(Math.random() * 120));
      const position = written.length;
      written.length += size;
      written.splice(position, size, ...(await bulk(workspace, size)));
    }
  };
  await Promise.all([write(), write(), write()]);
  await done;
  now.open?.close();
  expect(connections).toBeGreaterThan(20);
  expect(seen.length).toBe(total);
  expect(new Set(seen)).toEqual(new Set(written));
}, 120_000);

/** Fetches with an optional credential. Some connections are cut off. */
const cutting =
  (cuts: { made: number; most: number }, token?: string) =>
  async (input: string | URL, init: RequestInit): Promise<Response> => {
    const credential: Record<string, string> =
      token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const headers = { ...(init.headers as Record<string, string>), ...credential };
    const response = await fetch(input, { ...init, headers });
    if (cuts.made >= cuts.most || response.body === null) return response;
    cuts.made++;
    let left = 10_000 + Math.floor(Math.random() * 30_000);
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk.subarray(0, left));
        left -= chunk.length;
        if (left < 0) controller.terminate();
      },
    });
    return new Response(response.body.pipeThrough(cut), response);
  };

test("the tRPC client's subscription resumes after a lost connection", async () => {
  const { url, workspace, token } = await scene();
  const total = 600;
  const { seen, done, add } = counter<string>((ids) => ids.length >= total);
  const cuts = { made: 0, most: 2 };
  let begun = () => {};
  const ready = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const trpc = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === "subscription",
        true: httpSubscriptionLink({
          url: `${url}/trpc`,
          EventSource,
          eventSourceOptions: { fetch: cutting(cuts, token) },
        }),
        false: httpLink({ url: `${url}/trpc`, headers: { Authorization: `Bearer ${token}` } }),
      }),
    ],
  });
  const subscription = trpc.workspace.stream.subscribe(
    { workspacePublicId: workspace },
    {
      onData({ data }) {
        if (data.type === "ready") begun();
        else if (data.type !== "resync") add(data.id);
      },
      onError(error) {
        throw error;
      },
    },
  );
  onTestFinished(() => subscription.unsubscribe());
  await ready;
  const written: string[] = [];
  while (written.length < total) written.push(...(await bulk(workspace, 30)));
  await done;
  expect(cuts.made).toBe(2);
  expect(seen).toEqual(written);
}, 60_000);

test("with single-use tickets, a retryLink resumes with the next one", async () => {
  const { url, workspace, token } = await scene();
  const total = 200;
  const { seen, done, add } = counter<string>((ids) => ids.length >= total);
  let tickets = 0;
  const ready = counter<string>(() => true);
  const trpc = createTRPCClient<AppRouter>({
    links: [
      retryLink({ retry: () => true }),
      httpSubscriptionLink({
        async url() {
          tickets++;
          const { ticket } = await call(url, "/auth/stream-ticket", {}, token);
          return `${url}/trpc?ticket=${ticket}`;
        },
        EventSource,
        eventSourceOptions: { fetch: cutting({ made: 0, most: 1 }) },
      }),
    ],
  });
  const subscription = trpc.workspace.stream.subscribe(
    { workspacePublicId: workspace },
    {
      onData({ data }) {
        if (data.type === "ready") ready.add(data.type);
        else if (data.type !== "resync") add(data.id);
      },
    },
  );
  onTestFinished(() => subscription.unsubscribe());
  await ready.done;
  const written: string[] = [];
  while (written.length < total) written.push(...(await bulk(workspace, 50)));
  await done;
  expect(tickets).toBe(2);
  expect(seen).toEqual(written);
}, 60_000);

test("a rejected subscription has an error in the tRPC client", async () => {
  const { url, workspace } = await scene();
  const { token: stranger } = await scene();
  const failed = await new Promise<any>((resolve) => {
    const trpc = createTRPCClient<AppRouter>({
      links: [
        httpSubscriptionLink({
          url: `${url}/trpc`,
          EventSource,
          eventSourceOptions: {
            fetch: (input, init) =>
              fetch(input, {
                ...init,
                headers: { ...init.headers, Authorization: `Bearer ${stranger}` },
              }),
          },
        }),
      ],
    });
    trpc.workspace.stream.subscribe({ workspacePublicId: workspace }, { onError: resolve });
  });
  expect(failed.data).toMatchObject({ code: "FORBIDDEN", httpStatus: 403 });
});

test("a browser opens streams with tickets, over REST and over tRPC", async () => {
  const { url, workspace, token } = await scene();
  const ticket = async () => (await call(url, "/auth/stream-ticket", {}, token)).ticket;
  const { seen, done, add } = counter<string>((types) => types.length === 2);
  const path = `${url}/api/v1/workspaces/${workspace}/events/stream?ticket=${await ticket()}`;
  const events = new EventSource(path);
  const trpc = createTRPCClient<AppRouter>({
    links: [
      httpSubscriptionLink({
        url: async () => `${url}/trpc?ticket=${await ticket()}`,
        EventSource,
      }),
    ],
  });
  const both = counter<string>((names) => names.length === 2);
  events.addEventListener("ready", () => both.add("REST"));
  events.addEventListener("board.created", ({ type }) => add(type));
  const subscription = trpc.workspace.stream.subscribe(
    { workspacePublicId: workspace, types: ["board.created"] },
    { onData: ({ data }) => (data.type === "ready" ? both.add("tRPC") : add(data.type)) },
  );
  await both.done;
  await call(url, `/workspaces/${workspace}/boards`, { name: "Garden" }, token);
  await done;
  events.close();
  subscription.unsubscribe();
  expect(seen).toEqual(["board.created", "board.created"]);
});

test("a change on one instance is streamed by another", async () => {
  const { url, workspace, token } = await scene();
  const other = services[1]?.url ?? "";
  const ready = counter<string>(() => true);
  const { seen, done, add } = counter<string>((names) => names.length === 20);
  const events = source(
    `${other}/api/v1/workspaces/${workspace}/events/stream`,
    token,
    (type, { data }) => {
      if (type === "ready") ready.add(type);
      else add(JSON.parse(data).data.board.name);
    },
  );
  await ready.done;
  const names = Array.from({ length: 20 }, (_, index) => `Board ${index}`);
  for (const name of names) await call(url, `/workspaces/${workspace}/boards`, { name }, token);
  await done;
  events.close();
  expect(seen).toEqual(names);
});

test("a stopping service ends its streams, and clients reconnect to another instance", async () => {
  const { workspace, token } = await scene();
  const third = await start();
  const path = `/api/v1/workspaces/${workspace}/events`;
  const headers = { Authorization: `Bearer ${token}` };
  const streams = await Promise.all(
    Array.from({ length: 5 }, () => fetch(`${third.url}${path}/stream`, { headers })),
  );
  const bodies = streams.map((stream) => stream.text());
  const waiting = fetch(`${third.url}${path}?cursor=now&wait=30`, { headers });
  // The long poll has started when a later request is answered.
  await fetch(`${third.url}/api/v1/workspaces/${workspace}`, { headers });
  await third.stop();
  const [body = ""] = await Promise.all(bodies);
  const last = /id: (\S+)/.exec(body)?.[1] ?? "";
  const page = await waiting;
  expect([page.status, await page.json()]).toEqual([
    200,
    { items: [], nextCursor: expect.any(String) },
  ]);
  const ids = await bulk(workspace, 3);
  const { seen, done, add } = counter<string>((all) => all.length === 3);
  const events = source(
    `${services[1]?.url}${path}/stream?cursor=${last}`,
    token,
    (type, { data }) => {
      if (type === "role.deleted") add(JSON.parse(data).id);
    },
  );
  await done;
  events.close();
  expect(seen).toEqual(ids);
});
