import { setTimeout as sleep } from "node:timers/promises";
import { importEvents, type ImportEvent } from "../../../contract/import-events.ts";
import { Import } from "../../../contract/resources/imports.ts";
import { importSources } from "../../../contract/vocabulary/import-sources.ts";
import type { Deps } from "../../../kernel/request/deps.ts";
import { CopiedRows } from "../../../kernel/events/copied-rows.ts";
import { importActor, type StoredActor } from "../../../kernel/events/actor.ts";
import { persistEvents } from "../../../kernel/events/persist.ts";
import type { RequestMetadata } from "../../../kernel/events/recorded-sql.ts";
import { runInTransaction } from "../../../kernel/events/transaction.ts";
import type { JobContext } from "../../../kernel/jobs/lease.ts";
import type { UnitOfWork } from "../../../kernel/events/unit-of-work.ts";
import { exceededLists, type ExceededList } from "../../../domain/list-limits.ts";
import { insertRows } from "../../../platform/db/insert-rows.ts";
import { LoopTurns } from "../../../platform/loop-turns.ts";
import { sql } from "../../../platform/db/sql.ts";
import { storedBytes } from "../../../platform/db/written.ts";
import type { Import as ImportRow } from "../../../platform/db/rows.ts";
import { failAtDailyLimit, LockLost, type SourceBusy } from "./failure.ts";
import { ReportDraft, maxIssues, rowsOf, type ReportIssue } from "./report.ts";
import { checkWritable, ended, lockImport, type ImportWorkspace } from "./target.ts";
import { showImport } from "../../../domain/presenters/imports.ts";

type Tx = UnitOfWork<ImportEvent>;
type Step<Result> = (tx: Tx, report: ReportDraft, target: ImportWorkspace) => Promise<Result>;
type Change = Parameters<Tx["prisma"]["import"]["update"]>[0]["data"];
type Options = {
  deps: Deps;
  row: ImportRow;
  /** How many issues earlier runs have stored. */
  issues: number;
  requestMetadata: RequestMetadata;
  /** The API key that started the import, if one did. */
  apiKeyId: string | null;
  job: JobContext;
};

/** More events go into several statements, each within its time limit. */
const maxEvents = 1_000;

/** One run of an import: what a source works with. */
export class ImportContext {
  readonly deps: Deps;
  readonly row: ImportRow;
  readonly actor: StoredActor;
  readonly signal: AbortSignal;
  /** What is skipped outside of any step; the next step stores it. */
  pending = new ReportDraft();
  /** How often the source deferred the import since it last created something. */
  waits: Record<SourceBusy["because"], number>;
  readonly #source: (typeof importSources)[keyof typeof importSources];
  readonly #requestMetadata: RequestMetadata;
  readonly #apiKeyId: string | null;
  readonly #job: JobContext;
  readonly #saved = new ReportDraft();
  readonly #turns = new LoopTurns();
  readonly #ended = new AbortController();
  #issues: number;
  #progress: { phase: string; done: number; total: number | null } = {
    phase: "starting",
    done: 0,
    total: null,
  };

  constructor({ deps, row, issues, requestMetadata, apiKeyId, job }: Options) {
    this.deps = deps;
    this.row = row;
    this.#issues = issues;
    this.#requestMetadata = requestMetadata;
    this.#apiKeyId = apiKeyId;
    this.#job = job;
    this.signal = AbortSignal.any([job.signal, this.#ended.signal]);
    this.waits = { limit: row.waits, failure: row.failures };
    const { publicId, createdById } = row;
    this.#source = importSources[Import.shape.source.parse(row.source)];
    this.actor = importActor(publicId, this.#source.actor, createdById);
  }

  /** Skips a resource outside of any step. */
  readonly skip = (issue: ReportIssue): void => this.pending.skip(issue);

  /** Sets the progress; it is published once a second. */
  progress(phase: string, done: number, total: number | null = null): void {
    this.#progress = { phase, done, total };
  }

  /** Runs one transaction. Its report counts only when it commits. */
  async step<Result>(run: Step<Result>): Promise<Result> {
    await this.checkAlive();
    await this.#forStarter((userId) => this.deps.limits.checkStored(userId));
    const outcome = await this.#transaction(async (tx, target) => {
      checkWritable(target);
      const report = new ReportDraft();
      const result = await run(tx, report, target);
      const issues = await this.#save(tx, report);
      return { report, issues, result, hasCreated: tx.pendingEvents.length > 0 };
    });
    this.#saved.merge(this.pending).merge(outcome.report);
    this.#saved.issues.length = 0;
    this.#issues += outcome.issues;
    this.pending = new ReportDraft();
    if (outcome.hasCreated) {
      this.waits = { limit: 0, failure: 0 };
      await this.#job.yieldWorker();
    }
    return outcome.result;
  }

  /** Stores the pending issues when there are many. */
  async flush(): Promise<void> {
    if (this.pending.issues.length > 1_000) await this.step(async () => undefined);
  }

  /** Waits for the source, without a worker of the process. */
  waitFor<Result>(wait: () => Promise<Result>): Promise<Result> {
    return this.#job.waitFor(wait);
  }

  /** Ends what the run waits for, because the import was cancelled or another run has it. */
  stop(reason: LockLost): void {
    this.#ended.abort(reason);
  }

  /** Throws when the run must stop. Lets others use the event loop. */
  async checkAlive(): Promise<void> {
    if (this.#ended.signal.aborted) throw this.#ended.signal.reason;
    if (this.signal.aborted) await this.#job.alive();
    await this.#turns.next();
  }

  /** Counts what the next run need not read again; throws when the run must stop. */
  async advanced(): Promise<void> {
    this.waits.limit = 0;
    await this.#job.yieldWorker();
  }

  /** Counts a file that was fetched for the starter of the import. */
  async countFile(bytes: number): Promise<void> {
    await this.#forStarter((userId) => this.deps.uploads.bytes.spend(String(userId), bytes));
  }

  /** Pauses; throws as soon as the run must stop. */
  async pause(ms: number): Promise<void> {
    const { signal } = this;
    await this.waitFor(() => sleep(ms, undefined, { signal }).catch(() => undefined));
    await this.checkAlive();
  }

  /** Publishes the progress. */
  async publish(): Promise<void> {
    await this.#transaction(async (tx, target) => {
      const row = await this.#update(tx, this.#progress);
      tx.emit("import.progress", { import: showImport(row, target) });
    });
  }

  /** Ends the import and publishes that; its input is erased. */
  async end(status: "completed" | "failed", error: string | null = null): Promise<void> {
    await this.#transaction(async (tx, target) => {
      const report = new ReportDraft();
      await this.#reportExceeded(tx, report);
      await this.#save(tx, report);
      const row = await this.#update(tx, { ...ended, status, error, finishedAt: tx.now });
      tx.emit(`import.${status}`, { import: showImport(row, target) });
    });
  }

  /** Reports lists beyond their limits on the boards of the import: it does not stop at limits. */
  async #reportExceeded({ query }: Tx, report: ReportDraft): Promise<void> {
    const isOfImport = sql`l."boardId" IN (
      SELECT DISTINCT "boardId" FROM imported_items WHERE "importId" = ${this.row.id})`;
    for (const list of await query<ExceededList>(exceededLists(isOfImport))) {
      report.record({
        kind: "list",
        severity: "info",
        name: list.name,
        reason: "Imports do not stop at the limits of lists.",
        detail: `it has ${list.count} cards, and its limit is ${list.limit}.`,
      });
    }
  }

  /** Gives the import back to the queue, so that others of its family can run meanwhile. */
  async release(because?: SourceBusy["because"]): Promise<void> {
    if (because !== undefined) this.waits[because] += 1;
    const { limit: waits, failure: failures } = this.waits;
    const state = { status: "queued", lockedBy: null, phase: "waiting" } as const;
    await this.#transaction((tx) => this.#update(tx, { ...state, waits, failures }));
  }

  async #transaction<Result>(run: (tx: Tx, target: ImportWorkspace) => Promise<Result>) {
    const copied = new CopiedRows(this.deps.limits.texts);
    // The text of a file was counted when it arrived.
    const { createdById } = this.row;
    if (!this.#source.isFile && createdById !== null) copied.countFor(createdById);
    const write = async (tx: Tx) => {
      const target = await lockImport(tx.query, this.row, this.#apiKeyId);
      if (target === undefined) throw new LockLost("Another run has the import.");
      tx.workspaceId = target.id;
      tx.mayExceedListLimits = true;
      const result = await run(tx, target);
      const events = tx.pendingEvents.splice(0);
      for (let from = 0; from < events.length; from += maxEvents) {
        tx.pendingEvents.splice(0, maxEvents, ...events.slice(from, from + maxEvents));
        await persistEvents(tx, this.actor, this.#requestMetadata);
      }
      return { result, written: tx.written };
    };
    const running = runInTransaction(this.deps, importEvents, write, copied);
    const { result, written } = await running.catch(failAtDailyLimit);
    await this.#forStarter((userId) => this.deps.limits.stored(userId, storedBytes(written)));
    return result;
  }

  /** Checks or counts a limit of the import's starter, unless their account is gone. */
  async #forStarter(limit: (userId: bigint) => Promise<unknown>): Promise<void> {
    const { createdById } = this.row;
    if (createdById !== null) await limit(createdById).catch(failAtDailyLimit);
  }

  /** Stores what is new of the report; returns the number of its rows. */
  async #save(tx: Tx, report: ReportDraft): Promise<number> {
    const total = new ReportDraft().merge(this.#saved).merge(this.pending).merge(report);
    const { id, workspaceId } = this.row;
    const remaining = Math.max(0, maxIssues - this.#issues);
    const rows = rowsOf(total.issues, remaining).map((issue) => ({
      importId: id,
      workspaceId,
      ...issue,
    }));
    await insertRows(tx.query, "import_issues", rows);
    await this.#update(tx, { ...this.#progress, counts: total.counts });
    return rows.length;
  }

  #update({ prisma, now }: Tx, data: Change): Promise<ImportRow> {
    return prisma.import.update({
      where: { id: this.row.id },
      data: { ...data, updatedAt: now },
    });
  }
}
