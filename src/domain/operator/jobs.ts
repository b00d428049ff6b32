import type { z } from "zod";
import { OperatorJob, OperatorJobStatus } from "../../contract/resources/operator.ts";
import { iso, isoOrNull, Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { jobIdOf } from "./find-job.ts";

const Filter = Page.extend({
  status: OperatorJobStatus.meta({
    description: "Only jobs in this state.",
    examples: ["failed"],
  }).optional(),
});

type Row = Omit<z.infer<typeof OperatorJob>, "jobId" | "runAt" | "createdAt" | "finishedAt"> & {
  id: bigint;
  runAt: Date;
  createdAt: Date;
  finishedAt: Date | null;
};

/** Lists the jobs that wait, run or have failed, newest first. */
export const listJobs = query("operator.jobs", Filter)
  .meta(
    rest("Operator").get(
      "/operator/jobs",
      "List jobs",
      "Returns the jobs of the service that wait, run or have failed, newest first. Failed ones " +
        "are deleted after the retention period of events (`EVENT_DAYS`).",
    ),
  )
  .output(pageOf(OperatorJob))
  .query(async ({ ctx: { db, deps }, input: { cursor, limit, status } }) => {
    const pages = pagesById(deps.seal, "jobs of the operator");
    const before = pages.after(cursor) ?? null;
    const isListed =
      status === undefined
        ? sql`(j.status IN ('queued', 'running') OR j.status = 'failed')`
        : sql`j.status = ${sql.word(status)}`;
    const rows = await db.query<Row>(sql`
      SELECT j.id, j.kind, j.status::text AS status, w."publicId" AS "workspacePublicId",
        j.attempts AS "attemptCount", j."runAt", j."lastError" AS error, j."createdAt",
        j."finishedAt"
      FROM jobs j LEFT JOIN workspaces w ON w.id = j."workspaceId"
      WHERE ${isListed} AND (${before}::bigint IS NULL OR j.id < ${before}::bigint)
      ORDER BY j.id DESC LIMIT ${limit + 1}`);
    return pages.page(rows, limit, ({ id, runAt, createdAt, finishedAt, ...row }) => ({
      ...row,
      jobId: jobIdOf(deps.seal, id),
      runAt: iso(runAt),
      createdAt: iso(createdAt),
      finishedAt: isoOrNull(finishedAt),
    }));
  });
