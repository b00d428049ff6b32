import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";
import { PrismaPg } from "@prisma/adapter-pg";
import { loadOnce } from "../load-once.ts";
import { patientSession } from "./session.ts";

/** Connects the schema engine to a pool. */
function adapterOn(pool: pg.Pool): SqlMigrationAwareDriverAdapterFactory {
  const factory = new PrismaPg(pool);
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => repaired(await factory.connect()),
    connectToShadowDb: async () => repaired(await factory.connectToShadowDb()),
  };
}

/** The adapter's connection, with workarounds for the schema engine. */
function repaired(connection: SqlDriverAdapter): SqlDriverAdapter {
  const query = connection.queryRaw.bind(connection);
  connection.queryRaw = ({ sql, ...rest }) => query({ sql: readable(sql), ...rest });
  return connection;
}

// The adapter cannot read the catalogue's type "char", which the engine selects. The engine also
// fails on the NOT NULL constraints of PostgreSQL 18 and does not need that list.
const rewrites = [
  ["constr.contype AS constraint_type", "constr.contype::text AS constraint_type"],
  ["AND contype NOT IN ('p', 'u', 'f')", "AND false"],
  ["con.confdeltype,", "con.confdeltype::text,"],
  ["con.confupdtype,", "con.confupdtype::text,"],
] as const;

const readable = (sql: string) =>
  rewrites.reduce((text, [from, to]) => text.replace(from, to), sql);

/** Prisma's engine, which compares schemas, bound to one database. */
type SchemaEngine = bindings.SchemaEngine;

// The part of WebAssembly's types that is used here: the full types need the DOM library.
declare const WebAssembly: {
  instantiate(
    code: Uint8Array,
    imports: Record<string, Record<string, unknown>>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

/** Instantiates the engine's WebAssembly once per process. It needs no native download. */
const load = loadOnce(async () => {
  const directory = dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm"));
  const code = await readFile(join(directory, "schema_engine_bg.wasm"));
  const imports = Object.fromEntries(
    Object.entries(bindings).map(([name, value]) =>
      name.startsWith("__wbg_setTimeout") ? [name, waitLoosely] : [name, value],
    ),
  );
  const { instance } = await WebAssembly.instantiate(code, { "./schema_engine_bg.js": imports });
  bindings.__wbg_set_wasm(instance.exports);
  // The engine reports a crash through this global before it traps.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message(message: string) {
        throw new Error(`Prisma's schema engine failed: ${message}`);
      },
    },
  });
  const start = instance.exports["__wbindgen_start"];
  if (typeof start === "function") start();
});

// The engine never clears its lock timer of 10 s, which must not delay the exit of a process.
const waitLoosely = (run: () => void, ms: number) => setTimeout(run, ms).unref();

/** Runs `use` with an engine on the database at `url`. */
export async function withSchemaEngine<T>(
  url: string,
  use: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  await load();
  const { Client, config, prepare } = patientSession(url);
  const pool = new pg.Pool({ ...config, Client, max: 1, onConnect: prepare });
  pool.on("error", () => undefined);
  try {
    const engine = await bindings.SchemaEngine.new(
      { datamodels: undefined },
      () => undefined,
      bindMigrationAwareSqlAdapterFactory(adapterOn(pool)),
    );
    try {
      return await use(engine);
    } finally {
      engine.free();
    }
  } finally {
    await pool.end();
  }
}
