import { setTimeout as pause } from "node:timers/promises";
import { sql } from "../../platform/db/sql.ts";
import { holdsPermission } from "../../kernel/access/visibility.ts";
import type { Import as ImportRow } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { importActor, type Actor } from "../../kernel/events/actor.ts";
import { runInTransaction } from "../../kernel/events/transaction.ts";
import { persistEvents, type RequestMetadata } from "../../kernel/events/persist.ts";
import type { JobContext as Job } from "../../kernel/jobs/run.ts";
import { importEvents, type ImportEvent } from "../../contract/import-events.ts";
import { ImportFailure, Lost } from "./failure.ts";
import { importers } from "../../contract/vocabulary/import-sources.ts";
import { tidyUp } from "./force-gc.ts";
import { Tally } from "./report.ts";
import { Import } from "../../contract/resources/imports.ts";
import { viewImport } from "./view.ts";

/** The workspace that an import goes into, as it is at the moment. */
export type Home = { id: bigint; publicId: string; cardPrefix: string };

/** One transaction of an import: `made` counts what comes of it, and does so only when it is committed. */
export type Step<Result> = (
  tx: UnitOfWork<ImportEvent>,
  made: Tally,
  home: Home,
) => Promise<Result>;

type Given = { deps: Deps; row: ImportRow; origin: RequestMetadata; job: Job };
type Held = Home & { open: boolean; may: boolean };

const held = `SELECT w.id, w."publicId", w."cardPrefix", w."deletedAt" IS NULL AS open, coalesce(${holdsPermission(sql`'board:create'`).text}, false) AS may
  FROM imports i JOIN workspaces w ON w.id = i."workspaceId"
  LEFT JOIN members m ON m."workspaceId" = w.id AND m."userId" = i."createdById" AND m.status = 'active'
  LEFT JOIN roles r ON r.id = m."roleId"
  WHERE i.id = $1 AND i."heldBy" = $2 AND i.status = 'running' FOR NO KEY UPDATE OF i`;

const saveLosses = `INSERT INTO import_losses ("importId", "workspaceId", kind, "sourceId", name, reason, partly, count)
  SELECT $1::bigint, $2::bigint, kind, "sourceId", name, reason, coalesce(partly, false), coalesce(count, 1)
  FROM json_to_recordset($3::json) AS loss(kind text, "sourceId" text, name text, reason text, partly boolean, count int)`;

/** What is more goes in several statements, each well within its time. */
const mostEvents = 1_000;

/** What an ended import keeps of what it needed while it ran. */
export const ended = { input: "", heldBy: null, version: { increment: 1 } } as const;

/** An import in the hands of one run: all that a source is given to work with. */
export class ImportRun {
  readonly deps: Deps;
  readonly row: ImportRow;
  readonly actor: Actor;
  readonly signal: AbortSignal;
  /** What becomes of the source's things outside of any step: what is left out before anything is made of it. */
  pending = new Tally();
  readonly #origin: RequestMetadata;
  readonly #job: Job;
  readonly #saved = new Tally();
  #progress: { phase: string; done: number; total: number | null } = {
    phase: "starting",
    done: 0,
    total: null,
  };

  constructor({ deps, row, origin, job }: Given) {
    this.deps = deps;
    this.row = row;
    this.#origin = origin;
    this.#job = job;
    this.signal = job.signal;
    const { publicId, source, createdById } = row;
    this.actor = importActor(publicId, importers[Import.shape.source.parse(source)], createdById);
  }

  /** Says how far it is; whoever listens is told once a second. */
  progress(phase: string, done: number, total: number | null = null): void {
    this.#progress = { phase, done, total };
  }

  /** One transaction: all of it or nothing, and nothing at all once the import is no longer in these hands. */
  async step<Result>(run: Step<Result>): Promise<Result> {
    await this.alive();
    const done = await this.#announcing(async (tx, { open, may, ...home }) => {
      if (!open) throw new ImportFailure("The workspace has been deleted.");
      if (!may) throw new ImportFailure("Whoever started it may not create boards here any more.");
      const made = new Tally();
      const result = await run(tx, made, home);
      await this.#save(tx, made);
      return { made, result };
    });
    this.#saved.merge(this.pending).merge(done.made);
    this.#saved.losses.length = 0;
    this.pending = new Tally();
    tidyUp();
    return done.result;
  }

  /** Writes what is pending when there is much of it. */
  async flush(most = 1_000): Promise<void> {
    if (this.pending.losses.length > most) await this.step(async () => undefined);
  }

  /** Throws when the run is not to go on. */
  async alive(): Promise<void> {
    if (this.signal.aborted) await this.#job.alive();
  }

  /** Waits, but not for a run that is not to go on. */
  async pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.signal }).catch(() => undefined);
    await this.alive();
  }

  /** Announces how far it is. */
  async publish(): Promise<void> {
    await this.#announcing(async (tx, home) => {
      const row = await tx.prisma.import.update({
        where: { id: this.row.id },
        data: { ...this.#progress, updatedAt: tx.now },
      });
      tx.emit("import.progress", { import: viewImport(row, home) });
    });
  }

  /** Ends it, and says so; what it was told goes with it. */
  async end(status: "completed" | "failed", error: string | null = null): Promise<void> {
    await this.#announcing(async (tx, home) => {
      await this.#save(tx, new Tally());
      const { now: finishedAt, now: updatedAt } = tx;
      const row = await tx.prisma.import.update({
        where: { id: this.row.id },
        data: { ...ended, status, error, finishedAt, updatedAt },
      });
      tx.emit(`import.${status}`, { import: viewImport(row, home) });
    });
  }

  /** Lets go of it for as long as its source asks to be left alone; others of its family may go on meanwhile. */
  async release(): Promise<void> {
    await this.#announcing(async (tx) => {
      const where = { id: this.row.id };
      const waits = { increment: 1 };
      await tx.prisma.import.update({
        where,
        data: { status: "queued", heldBy: null, phase: "waiting", waits },
      });
    });
  }

  async #announcing<Result>(run: (tx: UnitOfWork<ImportEvent>, home: Held) => Promise<Result>) {
    return runInTransaction<ImportEvent, Result>(this.deps, importEvents, async (tx) => {
      const { id, heldBy } = this.row;
      const [home] = await tx.query<Held>(held, [id, heldBy]);
      if (home === undefined) throw new Lost("The import is no longer in these hands.");
      tx.workspaceId = home.id;
      const result = await run(tx, home);
      const all = tx.pendingEvents.splice(0);
      for (let from = 0; from < all.length; from += mostEvents) {
        tx.pendingEvents.splice(0, mostEvents, ...all.slice(from, from + mostEvents));
        await persistEvents(tx, this.actor, this.#origin);
      }
      return result;
    });
  }

  async #save(tx: UnitOfWork<ImportEvent>, made: Tally): Promise<void> {
    const all = new Tally().merge(this.#saved).merge(this.pending).merge(made);
    if (all.losses.length > 0) {
      const { id, workspaceId } = this.row;
      await tx.query(saveLosses, [id, workspaceId, JSON.stringify(all.losses)]);
    }
    await tx.prisma.import.update({
      where: { id: this.row.id },
      data: { ...this.#progress, counts: all.counts, updatedAt: tx.now },
    });
  }
}
