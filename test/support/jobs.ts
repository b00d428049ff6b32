import { runners } from "../../src/app/jobs/runners.ts";
import type { Deps } from "../../src/kernel/request/deps.ts";
import { ensurePeriodic } from "../../src/kernel/jobs/queue.ts";
import { runNext } from "../../src/kernel/jobs/run.ts";
import * as worker from "../../src/kernel/jobs/worker.ts";

export { runners };
export type { Workers } from "../../src/kernel/jobs/worker.ts";

/** Runs every job that is due, and the jobs that those add, with the service's own runners. Returns how many. */
export async function runDue(deps: Deps, by = runners): Promise<number> {
  await ensurePeriodic(deps.db.write, deps.clock());
  let count = 0;
  while (await runNext(deps, by)) count++;
  return count;
}

/** Starts workers with the service's own runners. */
export const startWorkers = (deps: Deps, count: number, by = runners) =>
  worker.startWorkers(deps, count, by);
