import pg from "pg";
import { takeServers } from "../database-address.ts";
import { clientOf } from "./servers.ts";
import { sql } from "./sql.ts";

/** Settings of a PostgreSQL session, by name. */
export type SessionSettings = Readonly<Record<string, string>>;

/** How to open a session: the client and its configuration, and `prepare`, which runs first. */
export type DatabaseSession = {
  Client: typeof pg.Client;
  config: Required<Pick<pg.ClientConfig, "connectionString" | "query_timeout">> & pg.ClientConfig;
  prepare: (client: pg.ClientBase) => Promise<void>;
};

/** How long a statement may take, in ms, unless the address says otherwise. */
export const statementMs = 4_000;
/** The setting that keeps how long a statement of a call may take, where others have longer. */
const callTimeout = "wbs.call_timeout";
/** SQL: how long a statement of a call may take. */
export const timeoutOfCalls = sql`current_setting(${callTimeout})`;
/** How long the answer of a statement may travel, beyond the time that PostgreSQL gives it. */
const travelMs = 1_000;
/** The deadline of a statement that PostgreSQL may run for any time. */
const longestMs = 60_000;

/**
 * A session at an address, with settings that the address may change, and with fixed ones.
 *
 * Settings are sent after connecting: PgBouncer refuses most of them as startup parameters. A
 * statement that has no answer by its deadline closes the connection: the network or the server is
 * silent, possibly for ever.
 */
export function sessionOf(
  url: string,
  usual: SessionSettings,
  fixed: SessionSettings = {},
): DatabaseSession {
  const address = new URL(url);
  const several = takeServers(address);
  const input = takeSettings(address);
  const callMs = input["statement_timeout"] ?? String(statementMs);
  const settings: SessionSettings = { ...usual, ...input, ...fixed, [callTimeout]: callMs };
  const deadline = milliseconds(settings["statement_timeout"] ?? "0") || longestMs;
  const [names, values] = [Object.keys(settings), Object.values(settings)];
  const set = sql`SELECT set_config(name, value, false)
    FROM unnest(${names}::text[], ${values}::text[]) AS settings (name, value)`;
  return {
    Client: several === undefined ? pg.Client : clientOf(several.servers, several.wanted),
    config: {
      connectionString: address.href,
      connectionTimeoutMillis: statementMs,
      query_timeout: deadline + travelMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // Statements that start together travel together. Only then do deadlines close connections.
      pipeline: true,
    },
    prepare: async (client) => void (await client.query(set.text, [...set.values])),
  };
}

/** A session whose statements may take any time: migrations change whole tables. */
export function patientSession(url: string): DatabaseSession {
  const { Client, config, prepare } = sessionOf(url, {}, { statement_timeout: "0" });
  return { Client, config: { ...config, query_timeout: 0, pipeline: false }, prepare };
}

/** The client's deadline for a statement that PostgreSQL ends after `ms`. */
export const deadlineOf = (ms: number): number => ms + travelMs;

const parameters = [
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
] as const;

/** Takes the settings out of an address: its `options`, and the parameters that `pg` knows. */
function takeSettings({ searchParams }: URL): SessionSettings {
  const settings: Record<string, string> = {};
  for (const name of parameters) {
    const value = searchParams.get(name);
    if (value !== null) settings[name] = value;
    searchParams.delete(name);
  }
  const take = (_: string, name: string, value: string) => {
    settings[name] = value.replaceAll(/\\(.)/g, "$1");
    return "";
  };
  const options = searchParams.get("options") ?? "";
  const startOptions = options.replaceAll(/(?:-c\s*|--)([\w.]+)=((?:\\.|[^\s\\])*)/g, take).trim();
  // The rest stays for the start, such as a provider's `endpoint=…`.
  if (startOptions === "") searchParams.delete("options");
  else searchParams.set("options", startOptions);
  return settings;
}

const units: SessionSettings = { us: "0.001", ms: "1", s: "1000", min: "60000", h: "3600000" };

/** A time as PostgreSQL reads it: `4s`, `1min`, or a number of ms. */
function milliseconds(text: string): number {
  const [, number = "0", unit = ""] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/.exec(text) ?? [];
  return Math.round(Number(number) * Number(units[unit || "ms"] ?? 1));
}
