import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { createTokens } from "../../src/platform/crypto/tokens.ts";
import { signUp, type Api } from "./api.ts";
import { startBuilt, type Server } from "./servers.ts";
import { withDatabase } from "./setting.ts";
import { openSockets } from "./sockets.ts";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    streams: { type: "string", default: "1000,5000" },
    changes: { type: "string", default: "20" },
    profile: { type: "string" },
  },
});

type World = { url: string; secret: string; service: Server; other: Server };

await withDatabase(async ({ atEnd, ...common }) => {
  const [service, other] = [await startBuilt(common), await startBuilt(common)];
  atEnd(() => Promise.all([service.stop(), other.stop()]));
  const world = { url: common.databaseUrl, secret: common.secret, service, other };
  await betweenInstances(world);
  for (const count of values.streams.split(",").map(Number)) await manyStreams(world, count);
});

/** One change per second, sent to `count` streams of as many users of one workspace. */
async function manyStreams({ url, secret, service }: World, count: number) {
  const { api, workspace, board } = await makeTenant(service);
  const tokens = await people(url, secret, workspace, count);
  const before = await service.memory();
  const sockets = await openSockets(
    service.origin,
    `/api/v1/workspaces/${workspace}/events/stream`,
    tokens,
  );
  await pause(2_000);
  const [memory, cpu] = [(await service.memory()) - before, await service.cpu()];
  const each: number[] = [];
  const last: number[] = [];
  const measured = async () => {
    for (let change = 0; change < Number(values.changes); change++) {
      const arrivals = sockets.next();
      const sent = performance.now();
      await rename(service, api, board, change);
      const times = (await arrivals).map((at) => at - sent);
      each.push(...times);
      last.push(Math.max(...times));
      await pause(Math.max(0, 1_000 - (performance.now() - sent)));
    }
  };
  if (values.profile === undefined) await measured();
  else await service.profiled(values.profile, measured);
  const cpuPerChange = ((await service.cpu()) - cpu) / 1_000 / Number(values.changes);
  sockets.close();
  print(`${count} streams`, [
    ["until a stream has it", each],
    ["until the last has it", last],
  ]);
  process.stdout.write(
    `  memory ${(memory / 2 ** 20).toFixed(0)} MiB (${(memory / count / 1024).toFixed(1)} kiB a stream), CPU ${cpuPerChange.toFixed(0)} ms a change\n`,
  );
}

/** The time from a change on one instance to its arrival on a stream of another. */
async function betweenInstances({ service, other }: World) {
  const { api, workspace, board } = await makeTenant(service);
  const path = `/api/v1/workspaces/${workspace}/events/stream`;
  for (const [name, to] of [
    ["to the same instance", service],
    ["to the other instance", other],
  ] as const) {
    const sockets = await openSockets(to.origin, path, [api.token]);
    const times: number[] = [];
    for (let change = 0; change < 200; change++) {
      const arrivals = sockets.next();
      const sent = performance.now();
      await rename(service, api, board, change);
      times.push(...(await arrivals).map((at) => at - sent));
    }
    sockets.close();
    print(`one stream, ${name}`, [["from the call to the stream", times]]);
  }
}

async function makeTenant(service: Server) {
  const api = await signUp(service.origin);
  const { publicId: workspace } = await api.post("/workspaces", { name: "Streams" });
  const { publicId: board } = await api.post(`/workspaces/${workspace}/boards`, { name: "Board" });
  return { api, workspace: workspace as string, board: board as string };
}

async function rename({ origin }: Server, { token }: Api, board: string, change: number) {
  const response = await fetch(`${origin}/api/v1/boards/${board}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: `Change ${change} ${randomBytes(4).toString("hex")}` }),
  });
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
}

/** As many members of a workspace, each with a session; answers their access tokens. */
async function people(url: string, secret: string, workspace: string, count: number) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const mark = randomBytes(3).toString("hex");
  await client.query(
    `WITH made AS (INSERT INTO users ("publicId", email, name) SELECT $1 || 'u' || n, $1 || n || '@example.com', 'User ' || n
       FROM generate_series(1, $3::int) AS n RETURNING id, "publicId", email),
     signed AS (INSERT INTO sessions ("publicId", "userId", "expiresAt", "lastUsedAt")
       SELECT replace("publicId", 'u', 's'), id, now() + interval '1 day', now() FROM made)
     INSERT INTO members ("publicId", "workspaceId", "userId", email, "roleId", status, "joinedAt")
     SELECT replace(made."publicId", 'u', 'm'), w.id, made.id, made.email, r.id, 'active', now()
     FROM made, workspaces w JOIN roles r ON r."workspaceId" = w.id AND r.name = 'member' WHERE w."publicId" = $2`,
    [mark, workspace, count],
  );
  await client.query("ANALYZE");
  await client.end();
  const tokens = await createTokens([secret], () => new Date());
  const issued = Array.from({ length: count }, (_, index) =>
    tokens.issue(`${mark}s${index + 1}`, `${mark}u${index + 1}`, new Date()),
  );
  return (await Promise.all(issued)).map(({ accessToken }) => accessToken);
}

function print(title: string, rows: [string, number[]][]) {
  process.stdout.write(`${title}\n`);
  for (const [name, times] of rows) {
    const sorted = Float64Array.from(times).sort();
    const at = (part: number) =>
      (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN).toFixed(1);
    process.stdout.write(`  ${name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms\n`);
  }
}
