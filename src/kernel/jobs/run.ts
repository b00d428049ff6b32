import type { Deps } from "../request/deps.ts";
import { jobKinds, type JobKind } from "./kinds.ts";
import { claim, end, giveBack, leaseMs, renew, type Claimed } from "./queue.ts";

/** A job as its runner holds it. */
export type JobContext = {
  /** Aborted when the job was cancelled or lost, or the process is to stop. */
  signal: AbortSignal;
  /** For a long job between two steps: renews the lease, and throws when it is not to go on. */
  alive: () => Promise<void>;
};

/** Does the jobs of one kind; what it throws has it tried again. It may run twice, so it must bear that. */
export type Runner = (deps: Deps, payload: unknown, job: JobContext) => Promise<void>;

/** The runner of every kind of job. */
export type Runners = Record<JobKind, Runner>;

/** What a runner throws when trying again would not help. */
export class PermanentFailure extends Error {}

/** What a runner throws to be run again after some time, because there is nothing that it could do before. */
export class Reschedule extends Error {
  readonly ms: number;
  constructor(ms: number) {
    super("The job goes on later.");
    this.ms = ms;
  }
}

class Interrupted extends Error {}

const firstDelayMs = 10_000;
const longestDelayMs = 60 * 60_000;
const longestError = 1_000;

/** Runs the job that is due next; false when there is none. */
export async function runNext(
  deps: Deps,
  runners: Partial<Runners>,
  stopping: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  const query = deps.db.write;
  const job = await claim(query, Object.keys(runners), deps.clock());
  if (job === null) return false;
  const { kind } = job;
  const { everyMs } = jobKinds[kind];
  const { held, letGo } = hold(deps, job, stopping);
  try {
    if (job.attempts > job.maxAttempts)
      throw new PermanentFailure("Its worker was lost every time.");
    await runners[kind]?.(deps, job.payload, held);
    if (everyMs === undefined) await end(query, job, "completed", deps.clock());
    else await giveBack(query, job, { runAt: later(deps, everyMs), attempts: 0 });
  } catch (error) {
    await failed(deps, job, error, everyMs);
  } finally {
    letGo();
  }
  return true;
}

async function failed(deps: Deps, job: Claimed, error: unknown, everyMs: number | undefined) {
  const query = deps.db.write;
  if (error instanceof Interrupted) {
    // One that was cancelled, or is another's by now, is left as it is.
    return giveBack(query, job, { runAt: deps.clock(), attempts: job.attempts - 1 });
  }
  if (error instanceof Reschedule) {
    return giveBack(query, job, { runAt: later(deps, error.ms), attempts: job.attempts - 1 });
  }
  const lastError = (error instanceof Error ? error.message : String(error)).slice(0, longestError);
  const { kind, attempts } = job;
  if (attempts < job.maxAttempts && !(error instanceof PermanentFailure)) {
    deps.log.warn({ err: error, kind, attempts }, "a job failed and will be tried again");
    const delay = Math.min(firstDelayMs * 2 ** (attempts - 1), longestDelayMs);
    const runAt = later(deps, delay * (0.8 + Math.random() * 0.4));
    return giveBack(query, job, { runAt, attempts, error: lastError });
  }
  deps.log.error({ err: error, kind, attempts }, "a job has failed");
  if (everyMs === undefined) return end(query, job, "failed", deps.clock(), lastError);
  return giveBack(query, job, { runAt: later(deps, everyMs), attempts: 0, error: lastError });
}

const later = ({ clock }: Deps, ms: number) => new Date(clock().getTime() + ms);

/** Keeps the lease of a job for as long as it runs. */
function hold({ db, clock, log }: Deps, job: Claimed, stopping: AbortSignal) {
  const over = new AbortController();
  const { signal } = over;
  const abort = () => over.abort();
  if (stopping.aborted) abort();
  stopping.addEventListener("abort", abort);
  const beat = async () => {
    if (!(await renew(db.write, job, clock()))) abort();
  };
  const timer = setInterval(() => {
    beat().catch((error: unknown) => log.warn({ err: error }, "a job's lease was not renewed"));
  }, leaseMs / 4);
  timer.unref();
  const alive = async () => {
    if (!signal.aborted) await beat();
    if (signal.aborted) throw new Interrupted("The job is not to go on.");
  };
  const letGo = () => {
    clearInterval(timer);
    stopping.removeEventListener("abort", abort);
  };
  return { held: { signal, alive }, letGo };
}
