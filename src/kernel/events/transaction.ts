import type { Config } from "../../platform/config.ts";
import type { Database } from "../../platform/db/database.ts";
import { CopiedRows } from "./copied-rows.ts";
import type { EventConsumer } from "./consumers.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { badRequest } from "../../platform/errors.ts";
import { nameOf, userLog, workspaceLog, type Log } from "./logs.ts";
import type { LogChange, Notifier } from "./notifier.ts";
import { UnitOfWork, type CompleteEvents } from "./unit-of-work.ts";
import type { EmittedType } from "../../contract/policy.ts";

/** The dependencies of a transaction with events. */
export type TransactionDeps = {
  db: Database;
  clock: () => Date;
  notifier: Notifier;
  config: Config;
  consumers: readonly EventConsumer[];
  completeEvents: CompleteEvents;
};

/** Runs one transaction whose events the caller persists; notifies waiters after its commit. */
export async function runInTransaction<Emits extends EmittedType, Result>(
  { db, clock, notifier, config, consumers, completeEvents }: TransactionDeps,
  emits: readonly EmittedType[],
  run: (tx: UnitOfWork<Emits>) => Promise<Result>,
  copied = new CopiedRows(),
): Promise<Result> {
  let tx: UnitOfWork<Emits> | undefined;
  const result = await db
    .transact((prisma, query, written) => {
      tx = new UnitOfWork<Emits>(prisma, query, clock(), emits, {
        written,
        limits: config.LIMITS,
        consumers,
        completeEvents,
      });
      copied.restart();
      tx.copied = copied;
      return run(tx);
    })
    .catch(async (error: unknown) => {
      await copied.refund();
      throw error;
    });
  for (const notification of await notificationsOf(tx?.changes ?? [])) {
    notifier.notify(notification);
  }
  return result;
}

/** The notifications of a commit: one for each log. */
async function notificationsOf(changes: UnitOfWork["changes"]): Promise<Iterable<LogChange>> {
  const notifications = new Map<string, LogChange>();
  const add = (log: Log, hasWork: boolean) => {
    const earlier = notifications.get(nameOf(log))?.hasWork === true;
    notifications.set(nameOf(log), { log, hasWork: hasWork || earlier, isHere: true });
  };
  for (const { workspaceId, written } of changes) {
    const { hasWork, userIds } = await written;
    if (workspaceId !== null) add(workspaceLog(workspaceId), hasWork);
    for (const id of userIds) add(userLog(id), false);
  }
  return notifications.values();
}

/** 400 for an operation of a batch whose target is in another workspace. */
export const otherWorkspace = () =>
  badRequest(
    "other_workspace",
    "The operation's target is in a different workspace than the batch.",
  );

/** A transaction that the calls of a batch share. */
export type BatchTransaction = {
  query: Query;
  /** The workspace of the batch: nothing of another one is locked, and a call there is refused. */
  workspaceId: bigint | undefined;
  /** Runs a call in the transaction, with its own events. */
  run: <Emits extends EmittedType, Result>(
    emits: readonly EmittedType[],
    run: (tx: UnitOfWork<Emits>) => Promise<Result>,
  ) => Promise<Result>;
};

/**
 * Lets calls run in an open transaction: it gets their events, in their order.
 *
 * `failed` is called when a statement of them fails, also one without a wait, and `answered` with
 * the number of rows that a statement returns.
 */
export const joinable = (
  shared: UnitOfWork,
  { failed, answered }: { failed: () => void; answered: (rows: number) => void },
): BatchTransaction => {
  const { prisma, now, limits, consumers, completeEvents } = shared;
  const query = <Row>(statement: Sql): Promise<Row[]> => {
    const rows = shared.query<Row>(statement);
    rows.then(({ length }) => answered(length), failed);
    return rows;
  };
  return {
    query,
    workspaceId: shared.workspaceId,
    async run<Emits extends EmittedType, Result>(
      emits: readonly EmittedType[],
      run: (tx: UnitOfWork<Emits>) => Promise<Result>,
    ) {
      const tx = new UnitOfWork<Emits>(prisma, query, now, emits, {
        limits,
        consumers,
        ...(completeEvents === undefined ? {} : { completeEvents }),
        earlierEvents: shared.pendingEvents,
      });
      tx.copied = shared.copied;
      const result = await run(tx);
      // A repeated create may answer what has moved to another workspace: it publishes nothing.
      const publishes = tx.pendingEvents.length + tx.pendingUserEvents.length > 0;
      if (publishes && tx.workspaceId !== shared.workspaceId) throw otherWorkspace();
      shared.pendingEvents.push(...tx.pendingEvents);
      shared.pendingUserEvents.push(...tx.pendingUserEvents);
      shared.changes.push(...tx.changes);
      return result;
    },
  };
};
