import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DiffTarget } from "@prisma/schema-engine-wasm/schema_engine_bg";
import { type Logger, pino } from "pino";
import { isAlive, findServer } from "./embedded/process.ts";
import { startEmbedded } from "./embedded/server.ts";
import { prismaDirectory } from "./migrations.ts";
import { withSchemaEngine } from "./schema-engine.ts";

/** Settings for a disposable database: fast, without durability. */
export const throwaway = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

const prefix = "board-scratch-";

/** Creates a private directory for temporary databases. */
export const scratchDirectory = (parent = tmpdir()): Promise<string> =>
  mkdtemp(join(parent, `${prefix}${process.pid}-`));

/** Removes the scratch directories and servers of killed processes. */
export async function sweepScratch(parent = tmpdir()): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix) || isAlive(Number.parseInt(name.slice(prefix.length), 10)))
      continue;
    const dataDir = join(parent, name);
    const server = await findServer(join(dataDir, "postgres", "data"));
    if (server !== undefined) process.kill(server, "SIGQUIT");
    // It is in use or still stopping: the next sweep removes it.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
}

/** Runs `use` with an empty database in a temporary cluster. */
export async function withScratch<T>(use: (url: string, log: Logger) => Promise<T>): Promise<T> {
  await sweepScratch();
  const log = pino({ level: "silent" });
  const dataDir = await scratchDirectory();
  try {
    const { url, stop } = await startEmbedded({ dataDir, log, settings: throwaway });
    return await use(url, log).finally(stop);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The changes from the migrated database to `schema`, as SQL or text; empty without any. */
export function schemaDifferences(
  url: string,
  as: "sql" | "words",
  schema: string,
): Promise<string> {
  const files = [{ path: "schema.prisma", content: schema }];
  return diff(url, { tag: "schemaDatasource", files, configDir: prismaDirectory }, as, schema);
}

/** The SQL that Prisma generates for `schema` in an empty database. */
export const emptyToSchema = (url: string, schema: string): Promise<string> =>
  diff(url, { tag: "empty" }, "sql", schema);

const diff = (url: string, from: DiffTarget, as: "sql" | "words", schema: string) =>
  withSchemaEngine(url, async (engine) => {
    const { exitCode, stdout } = await engine.diff({
      from,
      to: { tag: "schemaDatamodel", files: [{ path: "schema.prisma", content: schema }] },
      script: as === "sql",
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return exitCode === 0 ? "" : (stdout ?? "").trim();
  });
