import { z } from "zod";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { jobKinds } from "../../kernel/jobs/kinds.ts";
import { cancelById } from "../../kernel/jobs/queue.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { conflict } from "../../platform/errors.ts";
import { JobId, lockJob } from "./find-job.ts";

/** Cancels a job that waits or runs. */
export const cancelJob = mutation("operator.cancelJob", z.strictObject({ jobId: JobId }))
  .meta(
    rest("Operator").post(
      "/operator/jobs/{jobId}/cancel",
      "Cancel a job",
      "Cancels a job that waits or runs; a running one stops at its next step. Returns 409 if it " +
        "has ended, if it is one that runs periodically, or if it is an import, which " +
        "`operator.cancelImport` cancels.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { deps, tx }, input }) => {
    const { id, kind, status } = await lockJob(tx, deps.seal, input.jobId);
    if (status !== "queued" && status !== "running") {
      throw conflict("job_not_waiting", `The job is ${status}.`);
    }
    if (kind === "import") {
      throw conflict("job_not_waiting", "Cancel the import instead: `operator.cancelImport`.");
    }
    if (jobKinds[kind].everyMs !== undefined) {
      throw conflict("job_not_waiting", `The job ${kind} runs periodically and cannot end.`);
    }
    await cancelById(tx, id);
    return success;
  });
