import pg from "pg";
import type { Server, Wanted } from "../database-address.ts";
import { NoServer } from "./database-errors.ts";

/** How long a server may take to answer, in ms, twice: less than a call waits for a connection. */
const searchMs = 1_500;

/** What a server says of itself. */
type Role = { isStandby: boolean; isReadOnly: boolean };

type Connected = ((error: Error) => void) & ((error: null, client: pg.Client) => void);

/**
 * A client of `pg` that connects to the first suitable server of an address.
 *
 * The server is chosen when a connection is opened, and stays the choice until a connection to it
 * fails. Then all servers are asked at once: a silent one delays nobody.
 */
export function clientOf(servers: readonly Server[], wanted: Wanted): typeof pg.Client {
  let chosen: Server | undefined;
  let searching: Promise<Server> | undefined;
  const choose = async (config: pg.ClientConfig): Promise<Server> => {
    if (chosen !== undefined) return chosen;
    searching ??= search(servers, wanted, config).finally(() => (searching = undefined));
    return (chosen = await searching);
  };
  return class extends pg.Client {
    readonly #config: pg.ClientConfig;

    constructor(config: pg.ClientConfig = {}) {
      super(config);
      this.#config = config;
      this.on("error", () => (chosen = undefined));
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | void {
      const connected = this.#open();
      if (callback === undefined) return connected;
      // The pool of `pg` waits for a callback.
      void reportTo(callback, connected);
    }

    async #open(): Promise<pg.Client> {
      const server = await choose(this.#config);
      ({ host: this.host, port: this.port } = server);
      try {
        await super.connect();
        await check(this, server, wanted);
      } catch (error) {
        chosen = undefined;
        leave(this);
        throw error;
      }
      return this;
    }
  };
}

/** Calls back with the outcome. What the callback throws is not an error of the connection. */
async function reportTo(callback: Connected, connected: Promise<pg.Client>): Promise<void> {
  const outcome = await connected.catch((error: Error) => error);
  if (outcome instanceof Error) callback(outcome);
  else callback(null, outcome);
}

/** Asks all servers what they are. The first one in the order of the address that fits is chosen. */
async function search(
  servers: readonly Server[],
  wanted: Wanted,
  config: pg.ClientConfig,
): Promise<Server> {
  const asked = servers.map((server) => ask(server, wanted, config));
  // At most one of them accepts writes: nothing is gained by waiting for the order.
  if (wanted !== "any") return Promise.any(asked).catch((error: unknown) => refuse(error, wanted));
  const failures: unknown[] = [];
  for (const answer of asked) answer.catch(() => undefined);
  for (const answer of asked) {
    try {
      return await answer;
    } catch (error) {
      failures.push(error);
    }
  }
  return refuse(new AggregateError(failures), wanted);
}

/** Connects to a server for a moment. */
async function ask(server: Server, wanted: Wanted, config: pg.ClientConfig): Promise<Server> {
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: searchMs,
    query_timeout: searchMs,
    pipeline: false,
  });
  client.on("error", () => undefined);
  ({ host: client.host, port: client.port } = server);
  try {
    await client.connect();
    await check(client, server, wanted);
    return server;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw error instanceof NoServer
      ? error
      : new Error(`${nameOf(server)}: ${reason}`, { cause: error });
  } finally {
    leave(client);
  }
}

/** Ends a connection, and waits for nothing: its server may be silent for ever. */
const leave = (client: pg.Client) => void client.end().catch(() => undefined);

/** Throws unless a server is what is wanted. */
async function check(client: pg.Client, server: Server, wanted: Wanted): Promise<void> {
  if (wanted === "any") return;
  const { rows } = await client.query<Role>(`SELECT pg_is_in_recovery() AS "isStandby",
    current_setting('transaction_read_only') = 'on' AS "isReadOnly"`);
  const [role] = rows;
  if (role?.isStandby === true) throw new NoServer(`${nameOf(server)} is a standby`, true);
  if (wanted === "read-write" && role?.isReadOnly === true)
    throw new NoServer(`${nameOf(server)} is read-only`, true);
}

/** Throws one error with what each server said. */
function refuse(error: unknown, wanted: Wanted): never {
  const failures: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const said = failures.map((each) => (each instanceof Error ? each.message : String(each)));
  const hasReadOnly = failures.some((each) => each instanceof NoServer);
  const problem = wanted === "any" ? "answers" : "accepts writes";
  throw new NoServer(`No server of DATABASE_URL ${problem}: ${said.join("; ")}`, hasReadOnly);
}

const nameOf = ({ host, port }: Server): string => `${host}:${port}`;
