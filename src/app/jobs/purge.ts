import { cardParts } from "../../domain/parts/card.ts";
import { sessionMs } from "../../domain/auth/session.ts";
import type { Deps } from "../../kernel/request/deps.ts";
import { sql } from "../../platform/db/sql.ts";
import { sweepImports } from "../../transfer/imports/job/sweep.ts";
import { steps, type PurgeStep } from "./purge-steps.ts";
import type { JobContext } from "../../kernel/jobs/lease.ts";
import { Reschedule } from "../../kernel/jobs/run.ts";

const batch = 500;
const dayMs = 24 * 60 * 60_000;
// Longer than any transaction, so that a restore that started in time has ended.
const marginMs = 60_000;
/** After this time the job is rescheduled, so that other jobs get a worker. */
const maxTurnMs = 5_000;

/**
 * Deletes what has expired: trash after `TRASH_DAYS`, events after `EVENT_DAYS`, history
 * after `HISTORY_DAYS`, sessions, tokens.
 *
 * Each batch is its own transaction.
 */
export async function purge(deps: Deps, _: unknown, { alive }: JobContext): Promise<void> {
  const { TRASH_DAYS, EVENT_DAYS, HISTORY_DAYS } = deps.config;
  const ago = (days: number) => new Date(deps.clock().getTime() - days * dayMs);
  const before = {
    trash: new Date(ago(TRASH_DAYS).getTime() - marginMs),
    events: ago(EVENT_DAYS),
    history: HISTORY_DAYS === undefined ? null : ago(HISTORY_DAYS),
    session: new Date(deps.clock().getTime() - sessionMs),
    day: ago(1),
    now: ago(0),
    year: ago(366),
  };
  const deadline = deps.clock().getTime() + maxTurnMs;
  const drain = async (purgeBatch: () => Promise<number>) => {
    while ((await purgeBatch()) > 0) {
      await alive();
      if (deps.clock().getTime() >= deadline) throw new Reschedule(0);
    }
  };
  for (const { purged } of Object.values(cardParts))
    if (purged !== undefined) await drain(() => purged.purge(deps, before.trash));
  await sweepImports(deps);
  for (const step of steps) {
    const time = before[step.age];
    if (time !== null) await drain(() => purgeStep(deps, step, time));
  }
}

async function purgeStep({ db }: Deps, { table, where, set }: PurgeStep, before: Date) {
  const name = sql.identifier(table);
  const change =
    set === undefined ? sql`DELETE FROM ${name}` : sql`UPDATE ${name} SET ${set(before)}`;
  const statement = sql`WITH purged AS (
      ${change} WHERE id IN (
        SELECT t.id FROM ${name} t WHERE ${where(before)} LIMIT ${sql.number(batch)})
      RETURNING 1)
    SELECT count(*) FROM purged`;
  const [row] = await db.transact((_tx, query) => query<{ count: bigint }>(statement));
  return Number(row?.count ?? 0);
}
