import { inputData, type EventData, type WholeData } from "../../contract/event-data.ts";
import { catalog, type EventType } from "../../contract/events.ts";
import type { EmittedType } from "../../contract/policy.ts";
import { userEventData, type EmittedUserEvent } from "../../contract/user-events.ts";
import type { Changes, EnteredList, PendingEvent, PendingUserEvent } from "./pending-event.ts";
import { ResponseVersion } from "./response-version.ts";
import type { EventConsumer } from "./consumers.ts";
import type { PendingChange, WrittenWork } from "./notifier.ts";
import { allowLongStatements, type PrismaTransaction } from "../../platform/db/transaction.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { nothingWritten, type WrittenAmount as Statements } from "../../platform/db/written.ts";
import { CopiedRows } from "./copied-rows.ts";
import { defaultLimits, type Limits } from "../../contract/limits.ts";

/** Completes some events of a transaction. */
export type CompletePart = (events: PendingEvent[]) => Promise<void>;

/**
 * Completes the pending events of a transaction with the new state of their resources, by parts:
 * memory does not hold the states of many events.
 *
 * It also counts up the versions of resources, so that no two events have the same.
 */
export type CompleteEvents = (tx: UnitOfWork) => CompletePart;

/** The tables whose rows a handler locks by their ids. */
type LockedTable = "users" | "lists" | "cards" | "boards" | "checklists" | "workspaces";

/** One transaction of an operation: it writes and emits events. */
export class UnitOfWork<Emits extends EmittedType = EmittedType> {
  readonly prisma: PrismaTransaction;
  /** Runs a statement. One that nobody waits for makes the transaction fail when it fails. */
  readonly query: Query;
  readonly now: Date;
  readonly pendingEvents: PendingEvent[] = [];
  /** Events of users, which belong to no workspace. */
  readonly pendingUserEvents: PendingUserEvent[] = [];
  /** The events of earlier calls of a batch, which are not written yet. */
  readonly earlierEvents: readonly PendingEvent[];
  /** The logs that were written. */
  readonly changes: PendingChange[] = [];
  copied = new CopiedRows();
  /** Whether lists may get more cards than their limits allow. */
  mayExceedListLimits = false;
  /** How much the completed statements have written. */
  readonly written: Statements;
  /** The version that the call answers. */
  readonly answered = new ResponseVersion();
  /** The workspace of the target, if the call found that it has no active webhook. */
  withoutWebhooks: bigint | undefined;
  /** The target with its ancestors, as they were when the target was locked. */
  locked: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {};
  /** The workspace of the events: the target's, or one that the operation created or joined. */
  workspaceId: bigint | undefined;
  /** Derive rows from the events. */
  readonly consumers: readonly EventConsumer[];
  /** Makes what runs before the events are written. */
  readonly completeEvents: CompleteEvents | undefined;
  /** How many resources of each kind there may be. */
  readonly limits: Limits;
  readonly #allowed: readonly EmittedType[];
  /** The live rows that the transaction has locked. */
  readonly #locked = new Set<string>();
  #main: PendingEvent | undefined;

  constructor(
    prisma: PrismaTransaction,
    query: Query,
    now: Date,
    allowed: readonly EmittedType[],
    {
      limits = defaultLimits,
      consumers = [],
      completeEvents,
      earlierEvents = [],
      written = nothingWritten(),
    }: {
      written?: Statements;
      earlierEvents?: readonly PendingEvent[];
      limits?: Limits;
      consumers?: readonly EventConsumer[];
      completeEvents?: CompleteEvents;
    } = {},
  ) {
    this.prisma = prisma;
    this.query = query;
    this.now = now;
    this.limits = limits;
    this.consumers = consumers;
    this.completeEvents = completeEvents;
    this.earlierEvents = earlierEvents;
    this.written = written;
    this.#allowed = allowed;
  }

  /** Adds an event of the transaction's workspace; it is written before commit. */
  emit<Type extends Emits & EventType>(
    type: Type,
    data: EventData<Type>,
    changes?: Changes,
    isActivity?: boolean,
  ): void {
    this.#add({ type, data, changes, isActivity, workspaceId: undefined });
  }

  /** Adds the event of a new card of a list, which nobody watches, with all that it shows. */
  emitNew<Type extends Emits & EventType>(
    type: Type,
    data: WholeData<Type>,
    entered: EnteredList,
  ): void {
    this.#checkAllowed(type);
    const publicData: Record<string, unknown> = catalog[type].data.parse(data);
    const event = { type, data: publicData, workspaceId: undefined };
    this.#push({ ...event, isComplete: true, entered });
  }

  /** Adds an event before those that the operation has emitted. */
  emitFirst<Type extends Emits & EventType>(type: Type, data: EventData<Type>): void {
    this.pendingEvents.unshift(this.#pending({ type, data, workspaceId: undefined }));
  }

  /** Adds an event of any workspace; it is written before commit. */
  emitIn<Type extends Emits & EventType>(
    workspaceId: bigint,
    type: Type,
    data: EventData<Type>,
    changes?: Changes,
  ): void {
    this.#add({ type, data, changes, workspaceId });
  }

  /** Adds an event of a user; it is written before commit. */
  emitTo(userId: bigint, event: EmittedUserEvent & { type: Emits }): void {
    this.#checkAllowed(event.type);
    this.pendingUserEvents.push({ userId, type: event.type, data: userEventData(event) });
  }

  #add(event: PendingEvent): void {
    this.#push(this.#pending(event));
  }

  #push(event: PendingEvent): void {
    this.#main ??= event;
    this.pendingEvents.push(event);
    this.#recordVersion(event);
  }

  #pending(event: PendingEvent): PendingEvent {
    this.#checkAllowed(event.type);
    return { ...event, data: inputData(event.type, event.data) };
  }

  #checkAllowed(type: EmittedType): void {
    if (!this.#allowed.includes(type)) throw new Error(`The policy row does not emit ${type}.`);
  }

  /** The first event that is about what the operation changes. */
  get mainEvent(): PendingEvent | undefined {
    return this.#main;
  }

  /** The version in the ETag. */
  get version(): number | undefined {
    return this.answered.value;
  }

  set version(version: number) {
    this.answered.given = version;
  }

  /** Records the version of the main event's resource after the last of some events. */
  updateVersion(events: readonly PendingEvent[]): void {
    for (const event of events) this.#recordVersion(event);
  }

  #recordVersion(event: PendingEvent): void {
    if (this.#main !== undefined) this.answered.recordFrom(event, this.#main);
  }

  /** Records what was written to the log of a workspace, or of users alone. */
  recordChange(workspaceId: bigint | null, written: Promise<WrittenWork>): void {
    written.catch(() => undefined);
    this.changes.push({ workspaceId, written });
  }

  /** Gives each statement of this transaction a minute, for operations on whole boards. */
  async allowLongStatements(): Promise<void> {
    await this.query(allowLongStatements);
  }

  /** Records a live row that is locked: the target of the call, and what was locked before it. */
  recordLocked(table: string, id: bigint): void {
    this.#locked.add(`${table} ${id}`);
  }

  /**
   * Locks rows of one table in the order of their ids, so that operations cannot deadlock.
   *
   * Returns the ids that are live and in this workspace: a board may have moved meanwhile. Nothing
   * is sent for rows that are locked already.
   */
  async lock(table: LockedTable, ids: bigint[]): Promise<bigint[]> {
    if (ids.every((id) => this.#locked.has(`${table} ${id}`))) return ids;
    const here =
      table === "users" || table === "workspaces" || this.workspaceId === undefined
        ? sql.empty
        : sql`AND "workspaceId" = ${this.workspaceId}`;
    const rows = await this.query<{ id: bigint }>(
      sql`SELECT id FROM ${sql.identifier(table)}
        WHERE id = ANY(${ids}::bigint[]) AND "deletedAt" IS NULL ${here}
        ORDER BY id FOR NO KEY UPDATE`,
    );
    for (const { id } of rows) this.recordLocked(table, id);
    return rows.map(({ id }) => id);
  }

  /** Locks the parent whose live children change: what is sent later runs behind the lock. */
  lockOrder(table: LockedTable, id: bigint): void {
    this.lock(table, [id]).catch(() => undefined);
  }
}
