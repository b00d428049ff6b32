import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { pino } from "pino";
import { scratchDirectory, sweepScratch } from "../../src/platform/db/scratch.ts";
import { startEmbedded } from "../../src/platform/db/embedded/server.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { signUp } from "./api.ts";
import { cases } from "./cases.ts";
import { compare, measure } from "./measure.ts";
import { startBuilt, startFloor } from "./servers.ts";
import { report, type Result } from "./table.ts";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "" },
    json: { type: "boolean", default: false },
    profile: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(`npm run bench -- [options]
  --seconds 3       how long one side is measured in one round
  --rounds 3        how many rounds, each with both sides
  --only card,list  only the cases whose name contains one of these
  --profile folder  one more round of the service, with a CPU profile of each case
  --json            JSON instead of the table
`);
} else {
  await bench();
}

/** Measures every case on the built service and on the floor, in turn, on one database of its own that flushes as in production. */
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
    const service = await startBuilt(common);
    ends.unshift(() => service.stop());
    const floor = await startFloor(common);
    ends.unshift(() => floor.stop());

    const results: Result[] = [];
    const wanted = values.only.split(",");
    for (const { name, prepare } of cases) {
      if (!wanted.some((part) => name.includes(part))) continue;
      process.stderr.write(`${name} …\n`);
      const api = await signUp(service.origin);
      const round = await prepare(api, service.origin);
      await compare({ service, floor }, api.token, round);
      const times = { seconds: Number(values.seconds), rounds: Number(values.rounds) };
      results.push({ name, ...(await measure({ service, floor }, api.token, round, times)) });
      if (values.profile === undefined) continue;
      const folder = resolve(values.profile);
      await mkdir(folder, { recursive: true });
      const file = join(folder, `${name.replace(/\W+/g, "-")}.cpuprofile`);
      await service.profiled(file, () =>
        measure({ service }, api.token, round, { ...times, rounds: 1 }),
      );
    }
    process.stdout.write(values.json ? `${JSON.stringify(results, null, 2)}\n` : report(results));
  } finally {
    for (const end of ends) await end();
    await rm(cwd, { recursive: true, force: true });
  }
}
