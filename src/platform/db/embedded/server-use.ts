import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { type Launched, type Server, launch } from "./launch.ts";
import { findServer } from "./process.ts";
import { codeOf } from "../../error-code.ts";

/** An open connection that marks the server as used; `started` is true for a server we started. */
export type ServerUse = { client: pg.Client; started: boolean };

const pollMs = 15;
const startTimeoutMs = 60_000;
// Every service holds this lock in shared mode. The exclusive holder may stop the server.
const useLock = "1701667186, 1";

/** Connects to the server of the cluster, and starts it first when it does not run. */
export async function acquireServer(server: Server, signal: AbortSignal): Promise<ServerUse> {
  let launched: Launched | undefined;
  let giveUp = Date.now() + startTimeoutMs;
  try {
    for (;;) {
      signal.throwIfAborted();
      const response = await tryConnect(server.url);
      if (response instanceof pg.Client)
        return { client: response, started: launched?.running() ?? false };
      if (response === "recovering") giveUp = Date.now() + startTimeoutMs;
      const isFree = response === "down" && !launched?.running();
      if (isFree && !(await findServer(server.cluster.data))) {
        await launched?.throwFailure();
        launched = await launch(server);
      }
      if (Date.now() > giveUp)
        throw new Error(`The embedded database in ${server.cluster.data} does not answer.`);
      await delay(pollMs, undefined, { signal });
    }
  } catch (error) {
    await launched?.stop();
    throw error;
  }
}

/** Releases the connection and stops an unused server; returns whether it stopped. */
export async function releaseServer(
  server: Server,
  client: pg.Client,
  limit: number,
): Promise<boolean> {
  try {
    await client.query(`SELECT pg_advisory_unlock_shared(${useLock})`);
    const { rows } = await client.query<{ alone: boolean }>(
      `SELECT pg_try_advisory_lock(${useLock}) AS alone`,
    );
    const pid = await findServer(server.cluster.data);
    if (rows[0]?.alone !== true || pid === undefined) return false;
    // SIGINT is PostgreSQL's fast shutdown: it ends sessions and needs no recovery.
    process.kill(pid, "SIGINT");
    const giveUp = Date.now() + limit;
    while (await findServer(server.cluster.data)) {
      if (Date.now() > giveUp) throw new Error("The embedded database takes too long to stop.");
      await delay(pollMs);
    }
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function tryConnect(url: string): Promise<pg.Client | "down" | "busy" | "recovering"> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
    application_name: "embedded-server-use",
  });
  // Without a listener a lost connection would end the process. The caller listens to "end".
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ held: boolean }>(
      `SELECT pg_try_advisory_lock_shared(${useLock}) AS held`,
    );
    if (rows[0]?.held === true) return client;
    await client.end();
    return "busy";
  } catch (error) {
    await client.end().catch(() => undefined);
    const code = codeOf(error);
    if (code.startsWith("57P")) return "recovering";
    if (code.startsWith("53")) return "busy";
    if (code === "" || /^(ENOENT|ECONNREFUSED|ECONNRESET|EPIPE)$/.test(code)) return "down";
    throw error;
  }
}
