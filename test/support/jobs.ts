import { runners } from "../../src/app/jobs/runners.ts";
import type { Deps } from "../../src/kernel/request/deps.ts";
import * as worker from "../../src/kernel/jobs/worker.ts";

export { runners };
export type { Workers } from "../../src/kernel/jobs/worker.ts";

/** Runs every job that is due, and the jobs that those add, with the service's own runners. */
export const runDue = (deps: Deps, by = runners) => worker.runDue(deps, by);

/** Starts workers with the service's own runners. */
export const startWorkers = (deps: Deps, count: number, by = runners) =>
  worker.startWorkers(deps, count, by);
