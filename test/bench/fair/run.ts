import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startBuilt, type Server } from "../servers.ts";
import { withDatabase, type Setting } from "../setting.ts";
import { startLoads, type LoadProcess } from "./load-process.ts";
import { loads, settle, type Scene } from "./loads.ts";
import { makeAccount, type Account } from "./world.ts";

// What others notice while an account within its limits makes expensive calls.
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: "string", default: "10" },
    cards: { type: "string", default: "5000" },
    victims: { type: "string", default: "4" },
    only: { type: "string", default: "" },
    smoke: { type: "boolean", default: false },
  },
});
const seconds = values.smoke ? 0 : Number(values.seconds);
const cards = values.smoke ? 200 : Number(values.cards);
const victimCount = Number(values.victims);

type Sample = { name: string; times: number[]; statuses: Map<number, number>; stall: number };

await withDatabase(others, { isSmoke: values.smoke });

/** Runs every load, and measures the calls of others meanwhile. */
async function others({ atEnd, databaseUrl: url, ...common }: Setting): Promise<void> {
  const server = await startBuilt({
    ...common,
    databaseUrl: url,
    // As in production, with one address for each client.
    env: {
      RATE_LIMIT: "100",
      AUTH_RATE_LIMIT: "10",
      TRUST_PROXY: "1",
      WEBHOOK_ALLOW_HTTP: "true",
      WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8",
    },
  });
  atEnd(() => server.stop());
  const target = await startSlowTarget();
  atEnd(target.close);
  const world = { origin: server.origin, url };
  const loading = await startLoads();
  atEnd(() => loading.stop());
  const victims = await inTurn(victimCount, (nth) => makeAccount(world, `198.51.100.${nth}`, 20));

  const names = values.only.split(",");
  const samples: Sample[] = [];
  for (const [nth, load] of loads.entries()) {
    if (nth > 0 && !names.some((part) => load.name.includes(part))) continue;
    process.stderr.write(`${load.name} …\n`);
    const ip = `203.0.113.${nth + 1}`;
    const account = await makeAccount(world, ip, cards, load.lists);
    const scene = { origin: server.origin, slowTarget: target.url, account, ip };
    samples.push(await sample(load.name, loading, scene, server, victims));
    await account.client.close();
    if (!values.smoke) await settle();
  }
  for (const { client } of victims) await client.close();
  process.stdout.write(
    values.smoke ? `${samples.length} loads: others were answered\n` : report(samples),
  );
}

async function inTurn<Value>(count: number, make: (nth: number) => Promise<Value>) {
  const made: Value[] = [];
  for (let nth = 1; nth <= count; nth++) made.push(await make(nth));
  return made;
}

/** Measures the calls of others while a load runs. */
async function sample(
  name: string,
  loading: LoadProcess,
  scene: Scene,
  server: Server,
  victims: Account[],
): Promise<Sample> {
  await server.stall();
  const end = loading.begin(name, scene);
  await pause(200);
  const until = performance.now() + seconds * 1000;
  const times = (await Promise.all(victims.map((victim) => call(victim, until)))).flat();
  const statuses = await end();
  return { name, times, statuses, stall: (await server.stall()).ms };
}

/** Reads, writes and lists, 8 times a second, so that no limit is met; every answer must be 200. */
async function call({ client, card, lists }: Account, until: number): Promise<number[]> {
  const calls = [
    { method: "GET", path: `/cards/${card}` },
    { method: "PUT", path: `/cards/${card}`, body: { title: "A title" } },
    { method: "GET", path: `/lists/${lists[0]}/cards` },
    { method: "GET", path: "/workspaces" },
  ] as const;
  const times: number[] = [];
  for (let turn = 0; performance.now() < until || turn === 0; turn++) {
    const began = performance.now();
    const next = calls[turn % calls.length] ?? calls[0];
    const { status, body } = await client.send(next);
    if (status !== 200) throw new Error(`${next.path}: ${status} ${JSON.stringify(body)}`);
    times.push(performance.now() - began);
    await pause(Math.max(0, 125 - (performance.now() - began)));
  }
  return times;
}

/** A server that accepts requests and never answers. */
async function startSlowTarget() {
  const server = createServer(() => undefined);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

function report(samples: Sample[]): string {
  const at = (times: number[], part: number) =>
    times.toSorted((one, other) => one - other)[Math.ceil(times.length * part) - 1] ?? 0;
  const [quiet] = samples;
  const baseline = at(quiet?.times ?? [], 0.99);
  const lines = samples.map(({ name, times, statuses, stall }) => {
    const p99 = at(times, 0.99);
    const figures = [at(times, 0.5), p99, p99 / baseline, stall].map((figure, column) =>
      figure.toFixed(column === 2 ? 1 : 0).padStart(9),
    );
    const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
    return `${name.padEnd(22)}${figures.join("")}   ${counts}`;
  });
  const head = `${"others do".padEnd(22)}${["p50 ms", "p99 ms", "ratio", "stall ms"]
    .map((name) => name.padStart(9))
    .join("")}   their answers`;
  return `${[head, ...lines].join("\n")}\n`;
}
