import { z } from "zod";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sqlState } from "../../platform/db/database-errors.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict } from "../../platform/errors.ts";
import { JobId, lockJob } from "./find-job.ts";

/** Runs a job now that has failed, or waits. */
export const retryJob = mutation("operator.retryJob", z.strictObject({ jobId: JobId }))
  .meta(
    rest("Operator").post(
      "/operator/jobs/{jobId}/retry",
      "Retry a job",
      "Runs a job now that has failed or waits; a failed one gets all of its attempts again. " +
        "Returns 409 if it runs or has ended, or if a newer job does the same.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { deps, tx }, input }) => {
    const job = await lockJob(tx, deps.seal, input.jobId);
    const isFailed = job.status === "failed";
    if (!isFailed && job.status !== "queued") {
      throw conflict("job_not_waiting", `The job is ${job.status}.`);
    }
    // Releases before this one deleted what a failed job was about.
    if (isFailed && JSON.stringify(job.payload) === "{}") {
      throw conflict("job_not_waiting", "The job has lost what it was about.");
    }
    const retried = tx.query(sql`UPDATE jobs SET status = 'queued',
        "runAt" = ${tx.now}::timestamptz, attempts = ${isFailed ? 0 : job.attempts}::int,
        "finishedAt" = NULL
      WHERE id = ${job.id}`);
    // A kind of job has one live job for a key.
    await retried.catch((error: unknown) => {
      const isTaken = sqlState(error) === "23505";
      throw isTaken ? conflict("job_not_waiting", "A newer job does the same.") : error;
    });
    return success;
  });
