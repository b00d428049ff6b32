import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "../request/deps.ts";
import { claimInTurn, type ClaimInTurn } from "./claim.ts";
import { isLong } from "./kinds.ts";
import { ensurePeriodic } from "./queue.ts";
import { runNext, type Runners } from "./run.ts";

const pollMs = 1_000;
const ensureMs = 60_000;

/** The workers of this process; `stop` claims no new job and waits for running ones. */
export type Workers = { stop(): Promise<void> };

/** With fewer workers, the long job of one account would block those of all others. */
const minLongWorkers = 2;

/** Starts `count` workers, and half as many for long jobs. All processes share one queue. */
export function startWorkers(deps: Deps, count: number, runners: Runners): Workers {
  const stopping = new AbortController();
  const [long, short] = [ofLength(runners, true), ofLength(runners, false)];
  const start = (runs: Partial<Runners>, claim: ClaimInTurn) =>
    work(deps, runs, stopping.signal, claim);
  const longCount = count === 0 ? 0 : Math.max(minLongWorkers, Math.ceil(count / 2));
  const claimLong = claimInTurn(longCount);
  const workers = [
    ...Array.from({ length: count }, () => start(short, claimInTurn(1))),
    ...Array.from({ length: longCount }, () => start(long, claimLong)),
  ];
  return {
    async stop() {
      stopping.abort();
      await Promise.all(workers);
    },
  };
}

const ofLength = (runners: Runners, long: boolean): Partial<Runners> =>
  Object.fromEntries(Object.entries(runners).filter(([kind]) => isLong(kind) === long));

async function work(
  deps: Deps,
  runners: Partial<Runners>,
  stopping: AbortSignal,
  claim: ClaimInTurn,
): Promise<void> {
  let ensuredAt = Number.NEGATIVE_INFINITY;
  while (!stopping.aborted) {
    try {
      if (performance.now() - ensuredAt > ensureMs) {
        await ensurePeriodic(deps.db.write, deps.clock());
        ensuredAt = performance.now();
      }
      if (await runNext(deps, runners, stopping, claim)) continue;
    } catch (error) {
      deps.log.warn({ err: error }, "reading the job queue failed");
    }
    const ms = pollMs * (0.5 + Math.random());
    await pause(ms, undefined, { signal: stopping }).catch(() => undefined);
  }
}
