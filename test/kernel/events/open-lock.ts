import { expect } from "vitest";
import { runInTransaction } from "../../../src/kernel/events/transaction.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import type { App } from "../../support/app.ts";
import { gate } from "../../support/gate.ts";

/** Opens a transaction that locks a list or a board. */
export async function openLock(
  { deps, db }: App,
  table: "lists" | "boards" | "cards" | "workspaces",
  publicId: string,
) {
  const [row] = await db.read<{ id: bigint }>(
    sql`SELECT id FROM ${sql.identifier(table)} WHERE "publicId" = ${publicId}`,
  );
  if (row === undefined) throw new Error("There is nothing to lock.");
  const [locked, end] = [gate(), gate()];
  const done = runInTransaction(deps, [], async (tx) => {
    await tx.lock(table, [row.id]);
    locked.open();
    await end.opened;
  });
  await Promise.race([locked.opened, done]);
  return async () => {
    end.open();
    await done;
  };
}

/** Whether a call waits for a lock; false when it ends without. */
export async function waitsForLock({ db }: App, call: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  const ended = () => void (isDone = true);
  call.then(ended, ended);
  for (;;) {
    if (isDone) return false;
    const waiting = await db.read(waitingForLocks);
    if (waiting.length > 0) return true;
  }
}

/** Waits until so many transactions wait for locks. */
export async function waitForLocks({ db }: App, count: number): Promise<void> {
  await expect.poll(() => db.read(waitingForLocks)).toHaveLength(count);
}

const waitingForLocks = sql`SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;
