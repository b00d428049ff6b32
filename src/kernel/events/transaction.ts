import { limitsOf, type Config } from "../../platform/config.ts";
import type { Database } from "../../platform/db/database.ts";
import type { EventConsumer } from "./consumers.ts";
import type { Notifier } from "./notifier.ts";
import { UnitOfWork, type CompleteEvents } from "./unit-of-work.ts";
import type { EventType } from "../../contract/events.ts";

/** What a transaction with events runs on. */
export type TransactionDeps = {
  db: Database;
  clock: () => Date;
  notifier: Notifier;
  config: Config;
  consumers: readonly EventConsumer[];
  completeEvents: CompleteEvents;
};

/** Runs one transaction whose events the caller persists; notifies waiters after its commit. */
export async function runInTransaction<Emits extends EventType, Result>(
  { db, clock, notifier, config, consumers, completeEvents }: TransactionDeps,
  emits: readonly EventType[],
  run: (tx: UnitOfWork<Emits>) => Promise<Result>,
): Promise<Result> {
  let tx: UnitOfWork<Emits> | undefined;
  const result = await db.transact((prisma, query) => {
    tx = new UnitOfWork<Emits>(prisma, query, clock(), emits, {
      limits: limitsOf(config),
      consumers,
      completeEvents,
    });
    return run(tx);
  });
  for (const workspaceId of tx?.changedWorkspaces ?? []) notifier.notify(workspaceId);
  return result;
}
