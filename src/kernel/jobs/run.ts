import { sharedDatabase } from "../../platform/db/shared-database.ts";
import { inSpan } from "../../platform/tracing/tracing.ts";
import type { NewSpan } from "../../platform/tracing/span.ts";
import type { Deps } from "../request/deps.ts";
import { isLong, jobKinds, type JobKind } from "./kinds.ts";
import { holdLease, Interrupted, type JobContext, type Leave } from "./lease.ts";
import { claimFor, type Claim, type ClaimedJob } from "./claim.ts";
import { end, requeue } from "./queue.ts";

/** Runs the jobs of one kind; an error repeats the job. A job can run twice. */
export type Runner = (deps: Deps, payload: unknown, job: JobContext) => Promise<void>;

/** The runner of every kind of job. */
export type Runners = Record<JobKind, Runner>;

/** An error after which a job is not repeated. */
export class PermanentFailure extends Error {}

/** Thrown by a runner to run its job again later, because it cannot continue now. */
export class Reschedule extends Error {
  readonly ms: number;
  constructor(ms: number) {
    super("The job continues later.");
    this.ms = ms;
  }
}

const firstDelayMs = 10_000;
const maxDelayMs = 60 * 60_000;
const maxErrorLength = 1_000;

/** How a worker runs a job: when it stops, how it claims, and how the job frees it. */
type Run = { stopping: AbortSignal; claim: Claim; leave: Leave };

const alone = (): Run => ({
  stopping: new AbortController().signal,
  claim: claimFor(1),
  leave: () => undefined,
});

/** Runs the next due job; false when no job is due. */
export async function runNext(
  deps: Deps,
  runners: Partial<Runners>,
  { stopping, claim, leave } = alone(),
): Promise<boolean> {
  const query = deps.db.write;
  const job = await claim(query, { kinds: Object.keys(runners), now: deps.clock() });
  if (job === null) return false;
  const { kind } = job;
  const { everyMs } = jobKinds[kind];
  const { context, release } = holdLease(deps, job, { stopping, leave });
  try {
    if (job.attempts > job.maxAttempts) {
      throw new PermanentFailure("The worker of the job died in every attempt.");
    }
    await inSpan(spanOf(job), async () => runners[kind]?.(depsOf(deps, job), job.payload, context));
    if (everyMs === undefined) await end(query, job, "completed", deps.clock());
    else await requeue(query, job, { runAt: after(deps, everyMs), attempts: 0 });
  } catch (error) {
    await handleFailure(deps, job, error);
  } finally {
    release();
  }
  return true;
}

/** The span of an attempt. */
const spanOf = ({ id, kind, attempts }: ClaimedJob): NewSpan => ({
  name: `job ${kind}`,
  kind: "consumer",
  attributes: { "job.id": String(id), "job.kind": kind, "job.attempt": attempts },
  continues: "nothing",
  isFault: (error) => !(error instanceof Interrupted || error instanceof Reschedule),
});

/** The long jobs of an account share the database as one caller, of the workspace of the last. */
function depsOf(deps: Deps, { kind, workspaceId, accountId }: ClaimedJob): Deps {
  if (!isLong(kind)) return deps;
  const db = sharedDatabase(deps.db, `jobs of account ${accountId}`);
  if (workspaceId !== null) db.assignTenant(`workspace ${workspaceId}`);
  return { ...deps, db };
}

async function handleFailure(deps: Deps, job: ClaimedJob, error: unknown): Promise<void> {
  const query = deps.db.write;
  if (error instanceof Interrupted || error instanceof Reschedule) {
    const runAt = error instanceof Reschedule ? after(deps, error.ms) : deps.clock();
    return requeue(query, job, { runAt, attempts: job.attempts - 1 });
  }
  const message = (error instanceof Error ? error.message : String(error)).slice(0, maxErrorLength);
  const { kind, attempts } = job;
  if (attempts < job.maxAttempts && !(error instanceof PermanentFailure)) {
    deps.log.warn({ err: error, kind, attempts }, "a job failed and will be retried");
    return requeue(query, job, { runAt: after(deps, delayMs(attempts)), attempts, error: message });
  }
  deps.log.error({ err: error, kind, attempts }, "a job failed");
  const { everyMs } = jobKinds[kind];
  if (everyMs === undefined) return end(query, job, "failed", deps.clock(), message);
  return requeue(query, job, { runAt: after(deps, everyMs), attempts: 0, error: message });
}

/** The delay before the next attempt: exponential, with jitter. */
const delayMs = (attempts: number) =>
  Math.min(firstDelayMs * 2 ** (attempts - 1), maxDelayMs) * (0.8 + Math.random() * 0.4);

const after = ({ clock }: Deps, ms: number) => new Date(clock().getTime() + ms);
