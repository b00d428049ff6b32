import { Failure } from "../platform/errors.ts";
import { catalog, subjectOf, type EventData, type EventType } from "../contract/events.ts";
import type { Changes, PendingEvent } from "./events/pending-event.ts";
import type { EventConsumer } from "./events/consumers.ts";
import type { PrismaTransaction } from "../platform/db/transaction.ts";
import type { Query } from "../platform/db/query.ts";
import { defaultLimits, type Limits } from "../contract/limits.ts";

/** One transaction in the hands of an operation: its only way to write, and to say what it wrote. */
export class UnitOfWork<Emits extends EventType = EventType> {
  readonly prisma: PrismaTransaction;
  readonly query: Query;
  readonly now: Date;
  readonly pendingEvents: PendingEvent[] = [];
  /** The workspaces in which events have been recorded. */
  readonly changedWorkspaces = new Set<bigint>();
  /** The version that the answer's ETag tells: of the main event's thing, else of the target. */
  version: number | undefined;
  /** Where the events belong: the target's workspace, or the one that the operation made or entered. */
  workspaceId: bigint | undefined;
  /** What derives rows from the events of this transaction. */
  readonly consumers: readonly EventConsumer[];
  /** How many of each kind of thing there may be. */
  readonly limits: Limits;
  readonly #allowed: readonly EventType[];

  constructor(
    prisma: PrismaTransaction,
    query: Query,
    now: Date,
    allowed: readonly EventType[],
    {
      limits = defaultLimits,
      consumers = [],
    }: { limits?: Limits; consumers?: readonly EventConsumer[] } = {},
  ) {
    this.prisma = prisma;
    this.query = query;
    this.now = now;
    this.limits = limits;
    this.consumers = consumers;
    this.#allowed = allowed;
  }

  /** Announces a change; it is recorded just before commit. Empty `changes` announce nothing. */
  emit<Type extends Emits>(
    type: Type,
    data: EventData<Type>,
    changes?: Changes,
    isActivity?: boolean,
  ): void {
    if (!this.#allowed.includes(type)) throw new Error(`The policy row does not emit ${type}.`);
    const shown: Record<string, unknown> = catalog[type].data.parse(data);
    if (this.pendingEvents.length === 0) {
      const subject = shown[subjectOf(type)];
      if (typeof subject === "object" && subject !== null && "version" in subject) {
        this.version = Number(subject.version);
      }
    }
    this.pendingEvents.push({ type, data: shown, changes, isActivity });
  }

  /** Locks rows of one table in the order of their ids, so that no two operations wait for each other; answers those that are live and (since a board may have moved meanwhile) still of this workspace. */
  async lock(table: "lists" | "cards" | "boards" | "checklists" | "workspaces", ids: bigint[]) {
    const here = table === "workspaces" ? "" : ` AND ($2::bigint IS NULL OR "workspaceId" = $2)`;
    const rows = await this.query<{ id: bigint }>(
      `SELECT id FROM ${table} WHERE id = ANY($1::bigint[]) AND "deletedAt" IS NULL${here} ORDER BY id FOR NO KEY UPDATE`,
      table === "workspaces" ? [ids] : [ids, this.workspaceId ?? null],
    );
    return rows.map((row) => row.id);
  }
}

/** 412 unless `If-Match` names the current version. */
export function checkPrecondition(ifMatch: string | undefined, version: unknown) {
  if (ifMatch === undefined || ifMatch.trim() === "*" || typeof version !== "number") return;
  const versions = ifMatch
    .split(",")
    .map((tag) => /^\s*(?:W\/)?"(\d+)(?:-[^"]*)?"\s*$/.exec(tag)?.[1]);
  if (!versions.includes(String(version))) {
    throw new Failure("PRECONDITION_FAILED", [
      {
        message: `The thing has been changed since: its version is now ${version}.`,
        code: "stale",
      },
    ]);
  }
}
