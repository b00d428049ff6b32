import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { type ServerUse, acquireServer } from "./server-use.ts";
import type { Server } from "./launch.ts";
import { findStopping } from "./process.ts";

/** How often the server's status is read. */
const statusMs = 1_000;

/** Restarts a server whenever it stops, until `signal`; `current` waits for a running restart. */
export function restartWhenStopped(
  server: Server,
  first: ServerUse,
  log: Logger,
  signal: AbortSignal,
) {
  let use = first;
  let restarting: Promise<void> = Promise.resolve();
  const watch = () =>
    use.client.once("end", () => {
      if (!signal.aborted) restarting = startAgain();
    });
  const startAgain = async () => {
    log.warn("the embedded database stopped: restarting it");
    while (!signal.aborted) {
      try {
        use = await acquireServer(server, signal);
        watch();
        log.info("the embedded database is running again");
        return;
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error }, "the embedded database is not running yet");
        await delay(1000, undefined, { signal }).catch(() => undefined);
      }
    }
  };
  watch();
  return { current: () => restarting.then(() => use) };
}

/**
 * Completes a shutdown of the server that another program began with SIGTERM, until `signal`.
 *
 * PostgreSQL would refuse new connections and wait until ours end, which they never do. The
 * interrupt ends them: PostgreSQL stops, and starts again.
 */
export async function completeShutdowns(
  { cluster }: Server,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  let lastStopping: number | undefined;
  while (!signal.aborted) {
    await delay(statusMs, undefined, { signal, ref: false }).catch(() => undefined);
    const pid = await findStopping(cluster.data);
    // Only if seen twice: whoever stops this process as well does so within a second.
    if (pid !== undefined && pid === lastStopping && !signal.aborted) {
      log.warn({ pid }, "the embedded database is shutting down: completing it");
      interrupt(pid);
    }
    lastStopping = pid;
  }
}

/** SIGINT is PostgreSQL's fast shutdown: it ends sessions and needs no recovery. */
function interrupt(pid: number): void {
  try {
    process.kill(pid, "SIGINT");
  } catch {
    // It has ended.
  }
}
