import { z } from "zod";
import { Import } from "../../../contract/resources/imports.ts";
import type { Deps } from "../../../kernel/request/deps.ts";
import { TurnEnded, type JobContext } from "../../../kernel/jobs/lease.ts";
import { Reschedule, type Runner } from "../../../kernel/jobs/run.ts";
import { sqlState } from "../../../platform/db/database-errors.ts";
import { publicId } from "../../../platform/db/public-id.ts";
import type { Import as ImportRow } from "../../../platform/db/rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import { ImportContext } from "./context.ts";
import { isTransient, LockLost, importErrorMessage, SourceBusy } from "./failure.ts";
import { discardImportFiles } from "./files.ts";
import { discardReadings } from "./readings.ts";
import { reportedOnce } from "./report.ts";
import type { ImportSources } from "./sources.ts";
import { sealedAs } from "./start.ts";
import { failLostImports } from "./sweep.ts";

const Payload = z.object({ publicId: z.string() });
const RequestMetadata = z.object({ ip: z.string(), requestId: z.string() });
const Input = z.object({
  input: z.unknown(),
  requestMetadata: RequestMetadata,
  apiKeyId: z.string().nullable().default(null),
});
/** The sealed input; version 0.1.0 queued imports with other names of its fields. */
const Sealed = z
  .object({ ask: z.unknown(), origin: RequestMetadata })
  .transform(({ ask: input, origin: requestMetadata }) => ({
    input,
    requestMetadata,
    apiKeyId: null,
  }))
  .or(Input);

const progressMs = 900;
/** The delay of an import while another one of its family runs in the workspace. */
const turnMs = 2_000;

/** How often an import is rescheduled for its source without progress, before it fails. */
const maxWaits = { limit: 50, failure: 6 };

/** Runs imports from these sources. */
export const importRunner =
  (sources: ImportSources): Runner =>
  async (deps, payload, job) => {
    const claimed = await claim(deps, Payload.parse(payload).publicId, job);
    if (claimed === undefined) return;
    const { context, input } = claimed;
    const stopProgress = publishProgress(context);
    try {
      await sources[Import.shape.source.parse(context.row.source)]?.(context, input);
      await stopProgress();
      await context.end("completed");
    } catch (error) {
      await stopProgress();
      await handleFailure(context, error);
    }
    const isEnded = sql`i.status IN ('completed', 'failed', 'cancelled')`;
    const hasEnded = sql`i.id = ${context.row.id} AND ${isEnded}`;
    await discardImportFiles(deps, hasEnded);
    await discardReadings(deps, hasEnded);
  };

/** Claims an import for this run; undefined when it has ended. */
async function claim(deps: Deps, id: string, job: JobContext) {
  const { db, clock, seal } = deps;
  const now = clock();
  const claimedRow = await db
    .transact(async (prisma, query) => {
      const [claimed] = await query<ImportRow>(sql`
        UPDATE imports SET status = 'running', "lockedBy" = ${publicId()}, counts = '{}',
          version = version + 1, "startedAt" = coalesce("startedAt", ${now}::timestamptz),
          "updatedAt" = ${now}::timestamptz
        WHERE "publicId" = ${id} AND status IN ('queued', 'running') RETURNING *`);
      if (claimed === undefined) return undefined;
      const reason = { notIn: Object.values(reportedOnce) };
      await prisma.importIssue.deleteMany({ where: { importId: claimed.id, reason } });
      const issues = await prisma.importIssue.count({ where: { importId: claimed.id } });
      return { claimed, issues };
    })
    .catch(async (error: unknown) => {
      // A unique index allows one running import of a family in a workspace.
      if (sqlState(error) !== "23505") throw error;
      await failLostImports(deps);
      throw new Reschedule(turnMs);
    });
  if (claimedRow === undefined) return undefined;
  const { claimed: row, issues } = claimedRow;
  const { input, ...request } = Sealed.parse(JSON.parse(seal.open(sealedAs(id), row.input)));
  return { context: new ImportContext({ deps, row, issues, ...request, job }), input };
}

/** Publishes the progress now and every second; returns a function that stops it. */
function publishProgress(context: ImportContext): () => Promise<void> {
  let publishing: Promise<void> | undefined;
  const publish = () => {
    publishing ??= context
      .publish()
      .catch((error: unknown) => {
        if (error instanceof LockLost) return context.stop(error);
        context.deps.log.warn({ err: error }, "publishing the progress of an import failed");
      })
      .finally(() => (publishing = undefined));
  };
  publish();
  const timer = setInterval(publish, progressMs);
  return async () => {
    clearInterval(timer);
    await publishing;
  };
}

/** Ends an import with the message of its failure, or lets the job run again. */
async function handleFailure(context: ImportContext, error: unknown): Promise<void> {
  if (error instanceof LockLost) return;
  // When the run must stop, its error is a consequence: the reason for the stop comes first.
  if (context.signal.reason instanceof TurnEnded) await context.release();
  await context.checkAlive();
  if (isTransient(error)) throw error;
  if (error instanceof SourceBusy && context.waits[error.because] < maxWaits[error.because]) {
    await context.release(error.because);
    throw new Reschedule(error.ms);
  }
  const message = importErrorMessage(error);
  if (message === undefined) context.deps.log.error({ err: error }, "an import failed");
  await context.end(
    "failed",
    message ?? "The import failed because of an internal error. Start it again to continue it.",
  );
}
