import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createLogger } from "../../src/api/request-log.ts";
import { startDatabase } from "../../src/app/database.ts";
import { startService } from "../../src/app/service.ts";

import { readConfig } from "../../src/platform/config.ts";
import { configOf } from "../support/config.ts";
import { type Answer, type Client, clientOf, settle } from "../crash/service-client.ts";
import { readStream } from "../support/stream.ts";
import { startPair, type Pair } from "../support/standby.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { waitUntil } from "../support/wait.ts";

/** Starts a service on an address with both servers; `lines` is what it logs. */
async function serve({ primary, standby, user }: Pair, attributes: string) {
  const DATABASE_URL = `postgresql://${user}@${primary.host},${standby.host}/postgres${attributes}`;
  const lines: { msg: string; err?: unknown }[] = [];
  const log = createLogger("warn", { write: (line) => void lines.push(JSON.parse(line)) });
  const config = readConfig({
    DATABASE_URL,
    NODE_ENV: "test",
    PORT: "0",
    DATA_DIR: await temporaryDirectory(),
    APP_SECRET: "a secret for tests, 32 characters",
    RATE_LIMIT: "1000000",
  });
  const service = await startService(config, log);
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= service.stop());
  onTestFinished(stop);
  return { service: { ...service, stop }, lines };
}

/** Makes cards without a pause until it is stopped; records what was acknowledged, and when. */
function write(call: Client, listPublicId: string) {
  const acknowledged: { title: string; at: number }[] = [];
  const refused: Answer[] = [];
  let isStopped = false;
  const loop = async (writer: number) => {
    for (let nth = 0; !isStopped; nth++) {
      const title = `card ${nth} of writer ${writer}`;
      const answer = await call("POST", "/cards", { title, listPublicId });
      if (answer.status === 200) acknowledged.push({ title, at: performance.now() });
      else refused.push(answer);
    }
  };
  const loops = Promise.all([1, 2, 3, 4].map(loop));
  return { acknowledged, refused, stop: () => ((isStopped = true), loops) };
}

test("after a failover the service writes to the new primary, and has lost nothing", async () => {
  const pair = await startPair();
  const { service, lines } = await serve(pair, "?target_session_attrs=read-write");
  const home = await settle(service.url);
  const call = clientOf(() => service.url, home.token);
  const [{ workspace }] = (await call("GET", "/workspaces")).body;
  const [listPublicId = ""] = home.lists;
  const path = `/workspaces/${workspace.publicId}/events`;
  const start = (await call("GET", `${path}?cursor=now`)).body.nextCursor;
  const stream = await readStream(
    await fetch(`${service.url}/api/v1${path}/stream?cursor=${start}`, {
      headers: { Authorization: `Bearer ${home.token}` },
    }),
  );
  const followed = (async () => {
    const titles: string[] = [];
    for (;;) {
      const [event] = await stream.take(1);
      if (event?.event === "card.created") titles.push(event.data.data.card.title);
      if (titles.at(-1) === "the last card") return titles;
    }
  })();
  const writing = write(call, listPublicId);
  await waitUntil(() => writing.acknowledged.length > 50);

  const killedAt = performance.now();
  await pair.primary.kill();
  await pair.standby.query("SELECT pg_promote()");
  await waitUntil(async () => {
    const [row] = await pair.standby.query("SELECT pg_is_in_recovery() AS standby");
    return row?.["standby"] === false;
  });
  const promotedAt = performance.now();
  const before = writing.acknowledged.length;
  await waitUntil(() => writing.acknowledged.length > before + 50);
  await writing.stop();
  const times = writing.acknowledged.map(({ at }) => at).toSorted((one, other) => one - other);
  const gap = Math.max(...times.map((at, nth) => at - (times[nth - 1] ?? at)));
  const firstAt = times.find((at) => at > promotedAt) ?? Infinity;
  const last = { title: "the last card", listPublicId };
  expect((await call("POST", "/cards", last)).status).toBe(200);

  const stored = await pair.standby.query(`SELECT title FROM cards`);
  const titles = new Set(stored.map(({ title }) => title));
  expect(writing.acknowledged.filter(({ title }) => !titles.has(title))).toEqual([]);
  for (const { status, headers } of writing.refused) {
    expect([status, Number(headers.get("retry-after")) > 0]).toEqual([503, true]);
  }
  // Each event once, in the order of the log, over the failover.
  const seen = await followed;
  expect(seen.length).toBe(new Set(seen).size);
  expect(new Set(seen)).toEqual(titles);
  await stream.close();
  expect((await call("GET", "/readyz")).status).toBe(200);
  process.stdout.write(
    `failover: ${writing.acknowledged.length} acknowledged writes, 0 lost; ` +
      `${Math.round(gap)} ms without a write, ` +
      `${Math.round(promotedAt - killedAt)} ms until the standby was primary, ` +
      `${writing.refused.length} calls refused; ${lines.length} lines in the log\n`,
  );
  expect(firstAt - promotedAt).toBeLessThan(5_000);
  // One line for each text, and no stacks.
  expect(lines.length).toBeLessThan(20);
  expect(JSON.stringify(lines)).not.toContain("stack");
});

test("a standby serves reads, refuses writes with 503, and is not ready", async () => {
  const pair = await startPair();
  const first = await serve(pair, "");
  const home = await settle(first.service.url);
  await first.service.stop();
  const { service } = await serve({ ...pair, primary: pair.standby }, "");
  const call = clientOf(() => service.url, home.key);
  expect((await call("GET", `/boards/${home.board}`)).status).toBe(200);
  const ready = await call("GET", "/readyz");
  expect([ready.status, ready.body.issues[0].code]).toEqual([503, "database_read_only"]);
  const health = await call("GET", "/health");
  expect(health.body).toMatchObject({ status: "degraded", database: "read_only" });
  for (const [method, path, body] of [
    ["POST", "/cards", { title: "A card", listPublicId: home.lists[0] }],
    ["PATCH", `/boards/${home.board}`, { name: "Another" }],
    ["DELETE", `/boards/${home.board}`, undefined],
  ] as const) {
    const { status, body: failure, headers } = await call(method, path, body);
    expect([status, failure.issues[0].code]).toEqual([503, "database_read_only"]);
    expect(headers.get("retry-after")).toBe("1");
  }
  const headers = { Authorization: `Bearer ${home.key}`, "Content-Type": "application/json" };
  const input = JSON.stringify({ title: "A card", listPublicId: home.lists[0] });
  const sent = await fetch(`${service.url}/trpc/card.create`, {
    method: "POST",
    headers,
    body: input,
  });
  expect([sent.status, sent.headers.get("retry-after")]).toEqual([503, "1"]);
  const signIn = { email: "nobody@example.com", password: "a password for tests" };
  expect((await call("POST", "/auth/login", signIn)).status).toBe(503);
  await pair.standby.query("SELECT pg_promote()");
  await waitUntil(async () => (await call("GET", "/readyz")).status === 200);
  const card = { title: "A card", listPublicId: home.lists[0] };
  expect((await call("POST", "/cards", card)).status).toBe(200);
});

test("an address without a suitable server ends the start with what each server said", async () => {
  const pair = await startPair();
  const { host } = pair.standby;
  const config = configOf({
    DATABASE_URL: `postgresql://${pair.user}@127.0.0.1:1,${host}/postgres?target_session_attrs=primary`,
  });
  await expect(startDatabase(config, pino({ level: "silent" }))).rejects.toThrow(
    new RegExp(`No server of DATABASE_URL accepts writes: .*ECONNREFUSED.*; ${host} is a standby`),
  );
});
