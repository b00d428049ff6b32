import type { Deps } from "../request/deps.ts";
import { isAccountWaiting, type ClaimedJob } from "./claim.ts";
import { jobLeaseMs, renew } from "./queue.ts";

/** Thrown by `alive` in a job that must stop. It is requeued unless it was cancelled. */
export class Interrupted extends Error {}

/** Stops a job that has run for long, because another account waits for a worker. */
export class TurnEnded extends Interrupted {}

/** How long a job runs while other accounts wait, from its first progress. */
export const turnMs = 5 * 60_000;

/** How long a job that waits for another service keeps a worker while other accounts wait. */
const waitTurnMs = 5_000;

/** Frees the worker of a job, and returns what ends that; undefined when too many jobs wait. */
export type Leave = () => (() => void) | undefined;

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
  /**
   * Waits for another service without a worker.
   *
   * When too many jobs wait, this one keeps its worker until another account waits for it.
   */
  waitFor: <Result>(wait: () => Promise<Result>) => Promise<Result>;
};

/** A lease that is renewed until `release` is called, with the context of the job. */
type HeldLease = { context: JobContext; release: () => void };

/** Renews the lease of a job at intervals. */
export function holdLease(
  { db, clock, log }: Deps,
  job: ClaimedJob,
  { stopping, leave }: { stopping: AbortSignal; leave: Leave },
): HeldLease {
  const interrupted = new AbortController();
  const { signal } = interrupted;
  const abort = () => interrupted.abort(new Interrupted("The job was interrupted."));
  if (stopping.aborted) abort();
  stopping.addEventListener("abort", abort);
  const renewLease = async () => {
    if (!(await renew(db.write, job, clock()))) abort();
  };
  const stopRenewing = everyMs(jobLeaseMs / 4, renewLease, (error) =>
    log.warn({ err: error }, "renewing the lease of a job failed"),
  );
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
    await giveWay(now);
    signal.throwIfAborted();
  };
  const giveWay = async (now: Date) => {
    if (await isAccountWaiting(db.read, job, now))
      interrupted.abort(new TurnEnded("Another account waits for a worker."));
  };
  const waitFor = async <Result>(wait: () => Promise<Result>) => {
    const returnToWorker = leave();
    const end =
      returnToWorker ??
      everyMs(
        waitTurnMs,
        () => giveWay(clock()),
        (error) => log.warn({ err: error }, "looking for accounts that wait failed"),
      );
    try {
      return await wait();
    } finally {
      end();
    }
  };
  const release = () => {
    stopRenewing();
    stopping.removeEventListener("abort", abort);
  };
  return { context: { signal, alive, yieldWorker, waitFor }, release };
}

/** Runs something at intervals; the returned function ends that. */
function everyMs(ms: number, run: () => Promise<void>, onError: (error: unknown) => void) {
  const timer = setInterval(() => void run().catch(onError), ms);
  timer.unref();
  return () => clearInterval(timer);
}
