import type { Deps } from "../request/deps.ts";
import { isAccountWaiting, type ClaimedJob } from "./claim.ts";
import { jobLeaseMs, renew } from "./queue.ts";

/** Thrown by `alive` in a job that must stop. It is requeued unless it was cancelled. */
export class Interrupted extends Error {}

/** Stops a job that has run for long, because another account waits for a worker. */
export class TurnEnded extends Interrupted {}

/** How long a job runs while other accounts wait, from its first progress. */
export const turnMs = 5 * 60_000;

/** What a runner gets beside the payload of its job. */
export type JobContext = {
  /** Aborted when the job is cancelled or lost, its turn has ended, or the process stops. */
  signal: AbortSignal;
  /** Renews the lease between two steps of a long job; throws when the job must stop. */
  alive: () => Promise<void>;
  /**
   * Gives the worker to an account that waits, when the turn of this job is over.
   *
   * Called after progress that the next run does not repeat: it throws, and the job is requeued.
   */
  yieldWorker: () => Promise<void>;
};

/** A lease that is renewed until `release` is called, with the context of the job. */
type HeldLease = { context: JobContext; release: () => void };

/** Renews the lease of a job at intervals. */
export function holdLease(
  { db, clock, log }: Deps,
  job: ClaimedJob,
  stopping: AbortSignal,
): HeldLease {
  const interrupted = new AbortController();
  const { signal } = interrupted;
  const abort = () => interrupted.abort(new Interrupted("The job was interrupted."));
  if (stopping.aborted) abort();
  stopping.addEventListener("abort", abort);
  const renewLease = async () => {
    if (!(await renew(db.write, job, clock()))) abort();
  };
  const timer = setInterval(() => {
    renewLease().catch((error: unknown) =>
      log.warn({ err: error }, "renewing the lease of a job failed"),
    );
  }, jobLeaseMs / 4);
  timer.unref();
  const alive = async () => {
    if (!signal.aborted) await renewLease();
    signal.throwIfAborted();
  };
  let turnEnd: number | undefined;
  const yieldWorker = async () => {
    const now = clock();
    turnEnd ??= now.getTime() + turnMs;
    if (now.getTime() < turnEnd) return;
    turnEnd = now.getTime() + jobLeaseMs / 4;
    if (!(await isAccountWaiting(db.read, job, now))) return;
    interrupted.abort(new TurnEnded("Another account waits for a worker."));
    signal.throwIfAborted();
  };
  const release = () => {
    clearInterval(timer);
    stopping.removeEventListener("abort", abort);
  };
  return { context: { signal, alive, yieldWorker }, release };
}
