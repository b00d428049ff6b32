import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { sessionOf, statementMs, type SessionSettings } from "./session.ts";

/** A connection outside the pool. `ended` resolves when it is closed or lost. */
export type OwnConnection = { client: pg.Client; ended: Promise<void>; close: () => Promise<void> };

/** How often an idle connection is checked, and how long closing it may take. */
const heartbeatMs = 3_000;
const closeMs = 1_000;

/**
 * Opens a connection outside the pool, and checks it while it is idle.
 *
 * A connection whose network is silent never ends by itself: the deadline of the check ends it.
 */
export async function openOwnConnection(
  url: string,
  name: string,
  settings: SessionSettings = {},
): Promise<OwnConnection> {
  const usual = { statement_timeout: String(statementMs), ...settings };
  const { Client, config, prepare } = sessionOf(url, usual);
  const client = new Client({ ...config, application_name: `workspace-board-service ${name}` });
  const ended = new Promise<void>((resolve) => {
    client.once("end", resolve);
  });
  // The "end" event follows.
  client.on("error", () => undefined);
  const close = () => Promise.race([client.end(), pause(closeMs, undefined, { ref: false })]);
  try {
    await client.connect();
    await prepare(client);
  } catch (error) {
    await close();
    throw error;
  }
  const check = () => void client.query("SELECT 1").catch(() => undefined);
  const heartbeat = setInterval(check, heartbeatMs).unref();
  void ended.then(() => clearInterval(heartbeat));
  return {
    client,
    ended,
    async close() {
      clearInterval(heartbeat);
      await close();
    },
  };
}
