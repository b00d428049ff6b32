import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "../request/deps.ts";
import { isLong } from "./kinds.ts";
import { ensurePeriodic } from "./queue.ts";
import { runNext, type Runners } from "./run.ts";

const pollMs = 1_000;
const ensureMs = 60_000;

/** Workers at work; `stop` takes no new job and waits for those that run. */
export type Workers = { stop(): Promise<void> };

/** Starts so many workers in this process, and half as many for what takes long; they share the queue with those of all other processes. */
export function startWorkers(deps: Deps, count: number, by: Runners): Workers {
  const stopping = new AbortController();
  const [long, quick] = [only(by, true), only(by, false)];
  const loops = [
    ...Array.from({ length: count }, () => work(deps, quick, stopping.signal)),
    ...Array.from({ length: Math.ceil(count / 2) }, () => work(deps, long, stopping.signal)),
  ];
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

const only = (by: Runners, long: boolean): Partial<Runners> =>
  Object.fromEntries(Object.entries(by).filter(([kind]) => isLong(kind) === long));

async function work(deps: Deps, by: Partial<Runners>, stopping: AbortSignal): Promise<void> {
  let ensured = Number.NEGATIVE_INFINITY;
  while (!stopping.aborted) {
    try {
      if (performance.now() - ensured > ensureMs) {
        await ensurePeriodic(deps.db.write, deps.clock());
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
export async function runDue(deps: Deps, by: Runners): Promise<number> {
  await ensurePeriodic(deps.db.write, deps.clock());
  let count = 0;
  while (await runNext(deps, by)) count++;
  return count;
}
