import type { Deps } from "../request/deps.ts";
import type { ClaimedJob } from "./claim.ts";
import { jobLeaseMs, renew } from "./queue.ts";

/** Thrown by `alive` in a job that must stop. It is requeued unless it was cancelled. */
export class Interrupted extends Error {}

/** A lease that is renewed until `release` is called, with the context of the job. */
type HeldLease = {
  context: { signal: AbortSignal; alive: () => Promise<void> };
  release: () => void;
};

/** Renews the lease of a job at intervals. */
export function holdLease(
  { db, clock, log }: Deps,
  job: ClaimedJob,
  stopping: AbortSignal,
): HeldLease {
  const interrupted = new AbortController();
  const { signal } = interrupted;
  const abort = () => interrupted.abort();
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
    if (signal.aborted) throw new Interrupted("The job was interrupted.");
  };
  const release = () => {
    clearInterval(timer);
    stopping.removeEventListener("abort", abort);
  };
  return { context: { signal, alive }, release };
}
