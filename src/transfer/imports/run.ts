import { z } from "zod";
import { sqlState } from "../../platform/db/database-errors.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { Reschedule, type JobContext, type Runner } from "../../kernel/jobs/run.ts";
import { isPassing, Lost, sentenceOf, SourceBusy } from "./failure.ts";
import { dropIfEnded } from "./files.ts";
import { ImportRun } from "./context.ts";
import { sources as every } from "./registry.ts";
import type { Sources } from "./sources.ts";
import { sealedAs } from "./start.ts";
import { settleLost } from "./sweep.ts";
import { Import } from "../../contract/resources/imports.ts";

const Payload = z.object({ publicId: z.string() });
const Input = z.object({
  ask: z.unknown(),
  origin: z.object({ ip: z.string(), requestId: z.string() }),
});

/** How often an import tells how far it is. */
const tickMs = 900;
/** How long an import waits for another one of its family in its workspace. */
const turnMs = 2_000;

/** How often in all an import comes back to its source, before it takes that for never. */
const mostWaits = { limit: 50, failure: 6 };

/** Does imports from these sources. */
export const importRunner =
  (sources: Sources): Runner =>
  async (deps, payload, job) => {
    const begun = await begin(deps, Payload.parse(payload).publicId, job);
    if (begun === undefined) return;
    const { run, ask } = begun;
    const stopTicking = tick(run);
    try {
      await sources[Import.shape.source.parse(run.row.source)]?.(run, ask);
      await stopTicking();
      await run.end("completed");
    } catch (error) {
      await stopTicking();
      await failed(run, error);
    }
    await dropIfEnded(deps, run.row.id);
  };

/** Does imports. */
export const runImport = importRunner(every);

type Where = { publicId: string; status: { in: ("queued" | "running")[] } };

/** Takes an import in hand, from its beginning; undefined when it has ended. Only one of a family runs in a workspace at a time. */
async function begin(deps: Deps, id: string, job: JobContext) {
  const { db, clock, seal } = deps;
  const now = clock();
  const where: Where = { publicId: id, status: { in: ["queued", "running"] } };
  const data = { status: "running", heldBy: publicId(), counts: {}, updatedAt: now } as const;
  const row = await db
    .transact(async (prisma) => {
      const [taken] = await prisma.import.updateManyAndReturn({
        where,
        data: { ...data, version: { increment: 1 } },
      });
      if (taken === undefined) return undefined;
      await prisma.importLoss.deleteMany({ where: { importId: taken.id } });
      return prisma.import.update({
        where: { id: taken.id },
        data: { startedAt: taken.startedAt ?? now },
      });
    })
    .catch(async (error: unknown) => {
      if (sqlState(error) !== "23505") throw error;
      await settleLost(deps);
      throw new Reschedule(turnMs);
    });
  if (row === undefined) return undefined;
  const { ask, origin } = Input.parse(JSON.parse(seal.open(sealedAs(id), row.input)));
  return { run: new ImportRun({ deps, row, origin, job }), ask };
}

/** Tells how far a run is, from its beginning and then once a second; the answer stops that. */
function tick(run: ImportRun): () => Promise<void> {
  let telling: Promise<void> | undefined;
  const tell = () => {
    telling ??= run
      .publish()
      .catch((error: unknown) => {
        if (!(error instanceof Lost)) run.deps.log.warn({ err: error }, "progress was not told");
      })
      .finally(() => (telling = undefined));
  };
  tell();
  const timer = setInterval(tell, tickMs);
  return async () => {
    clearInterval(timer);
    await telling;
  };
}

/** Ends an import that failed with what is to be said of it, unless somebody will go on with it. */
async function failed(run: ImportRun, error: unknown): Promise<void> {
  if (error instanceof Lost) return;
  // A run that is stopped may fail in any way: this tells why, and is thrown on.
  await run.alive();
  if (isPassing(error)) throw error;
  if (error instanceof SourceBusy && run.row.waits < mostWaits[error.because]) {
    await run.release();
    throw new Reschedule(error.ms);
  }
  const sentence = sentenceOf(error);
  if (sentence === undefined) run.deps.log.error({ err: error }, "an import failed");
  await run.end(
    "failed",
    sentence ?? "Something went wrong here. Start it again to go on where it stopped.",
  );
}
