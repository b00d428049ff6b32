import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { pino } from "pino";
import { scratchDirectory, sweepScratch } from "../../src/platform/db/scratch.ts";
import { startEmbedded } from "../../src/platform/db/embedded/server.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { signUp } from "./api.ts";
import { cases, type Case } from "./cases.ts";
import { load } from "./load.ts";
import { compare, measure } from "./measure.ts";
import { startBuilt, startFloor, type Server } from "./servers.ts";
import { report, type Result } from "./table.ts";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "" },
    json: { type: "boolean", default: false },
    profile: { type: "string" },
    cache: { type: "string" },
    smoke: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

type Servers = { service: Server; floor: Server };

if (values.help) {
  process.stdout.write(`npm run bench -- [options]
  --seconds 3       seconds per server and round
  --rounds 3        rounds per case, each with both servers
  --only card,list  only the cases whose name contains one of these
  --profile folder  one more round of the service, with a CPU profile of each case
  --cache 0         the service's CACHE_MB
  --json            JSON instead of the table
  --smoke           no measurement: runs each case once and compares the answers of both servers
`);
} else {
  await bench();
}

/** Runs every case on the built service and on the floor, on one database with production settings. */
async function bench() {
  await sweepScratch();
  const cwd = await scratchDirectory();
  const log = pino({ level: "error" });
  const ends: (() => Promise<unknown>)[] = [];
  try {
    const { url, stop } = await startEmbedded({ dataDir: cwd, log });
    ends.unshift(stop);
    await migrate(url, log);
    const common = { databaseUrl: url, secret: randomBytes(32).toString("hex"), cwd };
    const env = values.cache === undefined ? {} : { CACHE_MB: values.cache };
    const service = await startBuilt({ ...common, env });
    ends.unshift(() => service.stop());
    const floor = await startFloor(common);
    ends.unshift(() => floor.stop());

    const results: Result[] = [];
    const names = values.only.split(",");
    for (const one of cases.filter(({ name }) => names.some((part) => name.includes(part)))) {
      process.stderr.write(`${one.name} …\n`);
      results.push(...(await run(one, { service, floor })));
    }
    if (values.smoke) process.stdout.write(`${cases.length} cases: both servers answer the same\n`);
    else process.stdout.write(values.json ? `${JSON.stringify(results)}\n` : report(results));
  } finally {
    for (const end of ends) await end();
    await rm(cwd, { recursive: true, force: true });
  }
}

/** Compares the answers to a case, and measures it; a smoke run makes one call per connection. */
async function run({ name, prepare }: Case, servers: Servers): Promise<Result[]> {
  const api = await signUp(servers.service.origin);
  const round = await prepare(api, servers.service.origin);
  await compare(servers, api.token, round);
  if (values.smoke) {
    const each = Object.values(servers).map(({ origin }) => origin);
    for (const origin of each) await load(origin, api.token, await round(), 0);
    return [];
  }
  const times = { seconds: Number(values.seconds), rounds: Number(values.rounds) };
  const result = { name, ...(await measure(servers, api.token, round, times)) };
  if (values.profile !== undefined) {
    const folder = resolve(values.profile);
    await mkdir(folder, { recursive: true });
    const file = join(folder, `${name.replace(/\W+/g, "-")}.cpuprofile`);
    const { service } = servers;
    const once = { ...times, rounds: 1 };
    await service.profiled(file, () => measure({ service }, api.token, round, once));
  }
  return [result];
}
