import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import { digest } from "./digest.ts";
import { dueSoon } from "./due-soon.ts";
import { forget } from "./forget.ts";
import { purge } from "./purge.ts";
import { ensurePeriodic } from "./queue.ts";
import { runNext, type Runners } from "./run.ts";
import { sendMail } from "./send-mail.ts";

/** Who does what. */
export const runners: Runners = { mail: sendMail, digest, dueSoon, purge, forget };

const pollMs = 1_000;
const ensureMs = 60_000;

/** Workers at work; `stop` takes no new job and waits for those that run. */
export type Workers = { stop(): Promise<void> };

/** Starts so many workers in this process; they share the queue with those of all other processes. */
export function startWorkers(deps: Deps, count: number, by: Runners = runners): Workers {
  const stopping = new AbortController();
  const loops = Array.from({ length: count }, () => work(deps, by, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function work(deps: Deps, by: Runners, stopping: AbortSignal): Promise<void> {
  let ensured = Number.NEGATIVE_INFINITY;
  while (!stopping.aborted) {
    try {
      if (performance.now() - ensured > ensureMs) {
        await ensurePeriodic(deps.db.read, deps.clock());
        ensured = performance.now();
      }
      if (await runNext(deps, by, stopping)) continue;
    } catch (error) {
      deps.log.warn({ err: error }, "a worker could not reach the queue");
    }
    const ms = pollMs * (0.5 + Math.random());
    await pause(ms, undefined, { signal: stopping }).catch(() => undefined);
  }
}

/** Runs all that is due, and what that makes due, until nothing is; answers how many jobs that were. */
export async function runDue(deps: Deps, by: Runners = runners): Promise<number> {
  await ensurePeriodic(deps.db.read, deps.clock());
  let count = 0;
  while (await runNext(deps, by)) count++;
  return count;
}
