import { once } from "node:events";
import { openOwnConnection } from "./own-connection.ts";

/** A connection that receives and sends notifications. */
export type ListenConnection = {
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
): Promise<ListenConnection> {
  const { client, ended, close } = await openOwnConnection(url, "wire");
  client.on("notification", ({ payload }) => {
    if (payload !== undefined) hear(payload);
  });
  try {
    await client.query(`LISTEN ${channel}`);
  } catch (error) {
    await close();
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
    close,
  };
}
