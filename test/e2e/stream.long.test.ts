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
import { Environment } from "../../src/platform/config.ts";
import { eventTypes } from "../../src/contract/events.ts";
import type { AppRouter } from "../../src/app/router/index.ts";
import { startService, type Service } from "../../src/app/service.ts";
import { freshDatabase, type FreshDatabase } from "../support/database.ts";

let database: FreshDatabase;
let services: Service[];
let client: pg.Pool;

const start = () =>
  startService(
    Environment.parse({
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
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
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
  const { rows } = await client.query(`SELECT id FROM workspaces WHERE "publicId" = $1`, [
    workspace,
  ]);
  return { url, token, workspace, id: rows[0].id as string };
}

/** Writes so many events in one transaction, as an import might; answers their public ids. */
async function bulk(workspaceId: string, size: number): Promise<string[]> {
  const { rows } = await client.query(
    `INSERT INTO events ("publicId", "workspaceId", type, "actorType", "actorName", data)
     SELECT substr(md5(random()::text), 1, 12), $1, 'role.deleted', 'system', 'system', '{}'
     FROM generate_series(1, $2::int) RETURNING "publicId"`,
    [workspaceId, size],
  );
  return rows.map(({ publicId }) => publicId);
}

/** Resolves when `isDone` says so, asked whenever something has come. */
function counter<Thing>(isDone: (seen: Thing[]) => boolean) {
  const seen: Thing[] = [];
  let resolve = () => {};
  const done = new Promise<void>((settle) => {
    resolve = settle;
  });
  return {
    seen,
    done,
    add(thing: Thing) {
      seen.push(thing);
      if (isDone(seen)) resolve();
    },
  };
}

/** An event source that comes with a credential and listens to every type. */
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

test("a client that comes again at random 50 times during 10,000 events misses none and sees none twice", async () => {
  const { workspace, id, token } = await scene();
  const total = 10_000;
  const { seen, done, add } = counter<string>((ids) => ids.length >= total);
  let last = "";
  const now: { open?: EventSource } = {};
  let turns = 0;
  const connect = () => {
    const { url } = services[turns % 2] ?? { url: "" };
    const from = last === "" ? "" : `?cursor=${last}`;
    let left = turns < 50 ? 1 + Math.floor(Math.random() * 2 * (total / 50)) : Infinity;
    const events = source(
      `${url}/api/v1/workspaces/${workspace}/events/stream${from}`,
      token,
      (type, message) => {
        // What arrives after it was closed belongs to nobody.
        if (now.open !== events) return;
        last = message.lastEventId;
        if (type === "ready") begun();
        if (type === "ready" || type === "resync") return;
        add(JSON.parse(message.data).id);
        if (--left > 0) return;
        turns++;
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
  // Some at once and some alone, from several connections at a time.
  const write = async () => {
    while (written.length < total) {
      const size = Math.min(total - written.length, 1 + Math.floor(Math.random() * 120));
      const place = written.length;
      written.length += size;
      written.splice(place, size, ...(await bulk(id, size)));
    }
  };
  await Promise.all([write(), write(), write()]);
  await done;
  now.open?.close();
  expect(turns).toBeGreaterThan(20);
  expect(seen.length).toBe(total);
  expect(new Set(seen)).toEqual(new Set(written));
}, 120_000);

/** Fetches with a credential, if there is one; some connections break off after part of what they should have brought. */
const cutting =
  (cuts: { made: number; most: number }, token?: string) =>
  async (input: string | URL, init: RequestInit): Promise<Response> => {
    const credential: Record<string, string> =
      token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const headers = { ...(init.headers as Record<string, string>), ...credential };
    const answer = await fetch(input, { ...init, headers });
    if (cuts.made >= cuts.most || answer.body === null) return answer;
    cuts.made++;
    let left = 10_000 + Math.floor(Math.random() * 30_000);
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk.subarray(0, left));
        left -= chunk.length;
        if (left < 0) controller.terminate();
      },
    });
    return new Response(answer.body.pipeThrough(cut), answer);
  };

test("the tRPC client's subscription goes on by itself where its connection was cut", async () => {
  const { url, workspace, id, token } = await scene();
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
  while (written.length < total) written.push(...(await bulk(id, 30)));
  await done;
  expect(cuts.made).toBe(2);
  expect(seen).toEqual(written);
}, 60_000);

test("with tickets, which are good once, a retryLink goes on with the next", async () => {
  const { url, workspace, id, token } = await scene();
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
  while (written.length < total) written.push(...(await bulk(id, 50)));
  await done;
  expect(tickets).toBe(2);
  expect(seen).toEqual(written);
}, 60_000);

test("a refused subscription tells the tRPC client why", async () => {
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

test("a change through one instance is told by another", async () => {
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

test("a service that is stopped ends its streams and lets go of whoever waits, and their clients find another one", async () => {
  const { workspace, token, id } = await scene();
  const third = await start();
  const path = `/api/v1/workspaces/${workspace}/events`;
  const headers = { Authorization: `Bearer ${token}` };
  const streams = await Promise.all(
    Array.from({ length: 5 }, () => fetch(`${third.url}${path}/stream`, { headers })),
  );
  const bodies = streams.map((stream) => stream.text());
  const waiting = fetch(`${third.url}${path}?cursor=now&wait=30`, { headers });
  // The wait has begun when the service has answered what came after it.
  await fetch(`${third.url}/api/v1/workspaces/${workspace}`, { headers });
  await third.stop();
  const [body = ""] = await Promise.all(bodies);
  const last = /id: (\S+)/.exec(body)?.[1] ?? "";
  const page = await waiting;
  expect([page.status, await page.json()]).toEqual([
    200,
    { items: [], nextCursor: expect.any(String) },
  ]);
  const ids = await bulk(id, 3);
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
