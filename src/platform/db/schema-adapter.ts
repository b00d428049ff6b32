import { PrismaPg } from "@prisma/adapter-pg";
import {
  isDriverAdapterError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import type pg from "pg";

/** Connects the schema engine to a pool. `failed` receives the database's message of a failure. */
export function adapterOn(
  pool: pg.Pool,
  failed: (message: string) => void,
): SqlMigrationAwareDriverAdapterFactory {
  const factory = new PrismaPg(pool);
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => repaired(await factory.connect(), failed),
    connectToShadowDb: async () => repaired(await factory.connectToShadowDb(), failed),
  };
}

/** The adapter's connection, with workarounds for the schema engine. */
function repaired(
  connection: SqlDriverAdapter,
  failed: (message: string) => void,
): SqlDriverAdapter {
  // The adapter splits scripts at every semicolon, even in strings: send them unsplit.
  connection.executeScript = async (script) => {
    await connection.executeRaw({ sql: script, args: [], argTypes: [] }).catch((error: unknown) => {
      if (isDriverAdapterError(error)) failed(error.cause.originalMessage ?? error.message);
      throw error;
    });
  };
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
