import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { beside, type Earlier } from "./against.ts";
import { signUp } from "./api.ts";
import { comparedCases, type Case, type World } from "./cases.ts";
import { load } from "./load.ts";
import { compare, measure, type Side } from "./measure.ts";
import { moreCases } from "./more-cases.ts";
import { readPeers, type Peer } from "./peers.ts";
import { inTwo, startBuilt, startFloor, type Server } from "./servers.ts";
import { withDatabase } from "./setting.ts";
import { markdown, progress, report, type Result } from "./table.ts";
import { cheapHashing, withConstants } from "../support/config.ts";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "3" },
    "warm-up": { type: "string" },
    only: { type: "string", default: "" },
    json: { type: "boolean", default: false },
    markdown: { type: "boolean", default: false },
    profile: { type: "string" },
    peers: { type: "string" },
    against: { type: "string" },
    cache: { type: "string" },
    commits: { type: "string", default: "durable" },
    smoke: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

type Servers = {
  service: Server;
  other: () => Promise<Server>;
  floor: Server;
  peers: Peer[];
  earlier: Earlier | undefined;
  databaseCpu: () => Promise<number>;
};

const settings = withConstants({
  ...(values.cache === undefined ? {} : { CACHE_MB: Number(values.cache) }),
  // Each case signs up.
  ...(values.smoke ? cheapHashing : {}),
});
const cases = [...comparedCases, ...moreCases];

if (values.help) {
  process.stdout.write(`npm run bench -- [options]
  --seconds 3       seconds per server and round
  --rounds 3        rounds per case, each with both servers
  --warm-up 60      seconds that each server is called before it is measured, else half of --seconds
  --only card,list  only the cases whose name contains one of these
  --profile folder  one more round of the service, with a CPU profile of each case
  --cache 0         the MiB of memory for the service's answers
  --json            JSON instead of the table
  --markdown        the table of docs/performance.md
  --peers file      the same cases on other servers, by an adapter: docs/performance.md
  --against commit  the same cases on the service of a commit, which is built for it
  --commits async   commits do not wait for the disk
  --smoke           no measurement: runs each case once and compares the answers of both servers
`);
} else {
  const isDurable = values.commits !== "async";
  await beside(values.against, { isDurable, env: settings }, bench);
}

/** Runs every case on the service, and where it can on the floor, on peers and on an earlier one. */
async function bench(earlier: Earlier | undefined) {
  const peers = await readPeers(values.peers);
  await withDatabase(
    async ({ atEnd, databaseCpu, ...common }) => {
      const start = async (server: Promise<Server>) => {
        const started = await server;
        atEnd(() => started.stop());
        return started;
      };
      const service = await start(startBuilt({ ...common, env: settings }));
      // Instances send each other notifications: the second one starts with the first case for two.
      let second: Promise<Server> | undefined;
      const other = () => (second ??= start(startBuilt({ ...common, env: settings })));
      const floor = await start(startFloor(common));
      const names = values.only.split(",");
      const chosen = cases.filter(({ name }) => names.some((part) => name.includes(part)));
      const results: Result[] = [];
      const idle = await service.memory();
      for (const one of chosen) {
        const world = { origin: service.origin, databaseUrl: common.databaseUrl };
        const figures = await run(
          one,
          { service, other, floor, peers, earlier, databaseCpu },
          world,
        );
        results.push(...figures);
        process.stderr.write(values.smoke ? `${one.name}\n` : progress(figures));
      }
      if (values.smoke) process.stdout.write(`${chosen.length} cases: all answer as they must\n`);
      else if (values.json) process.stdout.write(`${JSON.stringify(results)}\n`);
      else if (values.markdown) process.stdout.write(markdown(results));
      else process.stdout.write(report(results, { idle, after: await service.memory() }));
    },
    { isSmoke: values.smoke, isDurable: values.commits !== "async" },
  );
}

/** Compares the answers to a case, and measures it; a smoke run makes one call per connection. */
async function run(
  one: Case,
  { service, other, floor, peers, earlier, databaseCpu }: Servers,
  world: Pick<World, "origin" | "databaseUrl">,
): Promise<Result[]> {
  const { name, count, inTwo: isDivided } = one;
  const { token, ...api } = await signUp(service.origin);
  const round = await one.prepare({ token, ...api }, { ...world, isSmoke: values.smoke });
  const server = isDivided === true ? inTwo(service, await other()) : service;
  const sides: Side[] = [{ name: "service", server, token, round }];
  if (comparedCases.includes(one)) {
    await compare({ service, floor }, token, round);
    sides.push({ name: "floor", server: floor, token, round });
  }
  const connections = count === undefined ? {} : { count };
  if (values.smoke) {
    for (const side of sides) {
      await load(side.server.origins, token, await round(), { seconds: 0, ...connections });
    }
    return [];
  }
  for (const { origin, ...peer } of peers) {
    const prepared = await peer.prepare(name);
    const elsewhere = { origins: [origin], cpu: async () => Number.NaN };
    if (prepared !== undefined) sides.push({ ...peer, server: elsewhere, round: prepared });
  }
  if (earlier !== undefined && isDivided !== true) {
    const { name: commit, server: old, databaseUrl, databaseCpu: ofOld } = earlier;
    const user = await signUp(old.origin);
    const own = { origin: old.origin, databaseUrl, isSmoke: false };
    // A case that writes rows itself needs the tables of this commit.
    const rounds = await one.prepare(user, own).catch((error: unknown) => {
      process.stderr.write(`${name} is not measured on ${commit}: ${String(error)}\n`);
    });
    const side = { name: commit, server: old, databaseCpu: ofOld };
    if (rounds !== undefined) sides.push({ ...side, token: user.token, round: rounds });
  }
  const seconds = Number(values.seconds);
  const warmUp = Number(values["warm-up"] ?? seconds / 2);
  const times = { seconds, rounds: Number(values.rounds), warmUp, ...connections };
  const figures = await measure(sides, databaseCpu, times);
  if (values.profile !== undefined) {
    const folder = resolve(values.profile);
    await mkdir(folder, { recursive: true });
    const file = join(folder, `${name.replace(/\W+/g, "-")}.cpuprofile`);
    await service.profiled(file, () =>
      measure(sides.slice(0, 1), databaseCpu, { ...times, rounds: 1 }),
    );
  }
  return [...figures].map(([side, taken]) => ({ name, side, figures: taken }));
}
