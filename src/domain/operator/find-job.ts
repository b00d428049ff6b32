import { text } from "../../contract/vocabulary/texts.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { jobKinds, type JobKind } from "../../kernel/jobs/kinds.ts";
import { type Seal, Unsealable } from "../../platform/crypto/seal.ts";
import { notFound } from "../../platform/errors.ts";
import type { Job } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";

const purpose = "job";

/** The id of a job, as inputs have it. */
export const JobId = text(1, 200).meta({
  description: "The id of the job, from `operator.jobs`.",
  examples: ["the-job-id"],
});

/** The id of a job outside of the service: its number would count the work of all tenants. */
export const jobIdOf = (seal: Seal, id: bigint): string => seal.sealEqually(purpose, String(id));

/** Locks a job; 404 when it does not exist. */
export async function lockJob(
  { query }: Pick<UnitOfWork, "query">,
  seal: Seal,
  jobId: string,
): Promise<Job & { kind: JobKind }> {
  const [job] = await query<Job>(
    sql`SELECT * FROM jobs WHERE id = ${openId(seal, jobId)} FOR UPDATE`,
  );
  if (job === undefined || !isKind(job.kind)) throw notFound("job");
  return { ...job, kind: job.kind };
}

const isKind = (kind: string): kind is JobKind => Object.hasOwn(jobKinds, kind);

function openId(seal: Seal, jobId: string): bigint {
  try {
    return BigInt(seal.open(purpose, jobId));
  } catch (error) {
    if (error instanceof Unsealable) throw notFound("job");
    throw error;
  }
}
