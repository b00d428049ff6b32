import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { pino } from "pino";
import { startEmbedded } from "../../src/platform/db/embedded/server.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { scratchDirectory, sweepScratch, throwaway } from "../../src/platform/db/scratch.ts";
import { databaseCpu } from "./database-cpu.ts";
import type { Common } from "./servers.ts";

/**
 * What a benchmark starts its servers with. `atEnd` adds what ends with it, last first.
 * `databaseCpu` is the CPU time that PostgreSQL has used, in µs.
 */
export type Setting = Common & {
  atEnd(end: () => Promise<unknown>): void;
  databaseCpu: () => Promise<number>;
};

type Kind = { isSmoke?: boolean; isDurable?: boolean; isMigrated?: boolean };

/** Runs a benchmark on a new migrated database: with production settings, unless it is a smoke run. */
export async function withDatabase(
  run: (setting: Setting) => Promise<void>,
  { isSmoke = false, isDurable = true, isMigrated = true }: Kind = {},
): Promise<void> {
  await sweepScratch();
  const cwd = await scratchDirectory();
  const log = pino({ level: "error" });
  const ends: (() => Promise<unknown>)[] = [];
  const atEnd = (end: () => Promise<unknown>) => void ends.unshift(end);
  try {
    const { url, stop } = await startEmbedded({
      dataDir: cwd,
      log,
      settings: isSmoke ? throwaway : isDurable ? {} : { synchronous_commit: "off" },
    });
    atEnd(stop);
    if (isMigrated) await migrate(url, log);
    const secret = randomBytes(32).toString("hex");
    await run({ databaseUrl: url, secret, cwd, atEnd, databaseCpu: databaseCpu(url) });
  } finally {
    for (const end of ends) await end();
    await rm(cwd, { recursive: true, force: true });
  }
}
