import { once } from "node:events";
import pg from "pg";

/** A connection that receives and sends notifications. */
export type Listening = {
  notify(payload: string): Promise<void>;
  /** Resolves when `until` is aborted. Throws when the connection is lost before. */
  lost(until: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

/** Listens on a channel over a separate connection. */
export async function connectListener(
  url: string,
  channel: string,
  hear: (payload: string) => void,
): Promise<Listening> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "workspace-board-service wire",
    connectionTimeoutMillis: 4_000,
    statement_timeout: 4_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  const ended = new Promise<void>((resolve) => {
    client.once("end", resolve);
  });
  // The "end" event follows.
  client.on("error", () => undefined);
  client.on("notification", ({ payload }) => {
    if (payload !== undefined) hear(payload);
  });
  try {
    await client.connect();
    await client.query(`LISTEN ${channel}`);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return {
    async notify(payload) {
      await client.query("SELECT pg_notify($1, $2)", [channel, payload]);
    },
    async lost(until) {
      const aborted = until.aborted
        ? Promise.resolve()
        : once(until, "abort").then(() => undefined);
      await Promise.race([
        aborted,
        ended.then(() => {
          throw new Error("The connection was lost.");
        }),
      ]);
    },
    async close() {
      await client.end().catch(() => undefined);
    },
  };
}
