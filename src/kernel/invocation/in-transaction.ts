import { ruleOf, type EmittedType, type Operation } from "../../contract/policy.ts";
import { CopiedRows } from "../events/copied-rows.ts";
import { runInTransaction } from "../events/transaction.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import type { Context } from "../request/context.ts";
import type { Emits } from "./types.ts";

/** Runs the transaction of a call: its own, or that of its batch. */
export function inTransaction<Name extends Operation, Result>(
  ctx: Context,
  name: Name,
  run: (tx: UnitOfWork<Emits<Name>>) => Promise<Result>,
): Promise<Result> {
  const emits = ruleOf(name).emits ?? [];
  return ctx.joined === undefined ? runCharged(ctx, emits, run) : ctx.joined.run(emits, run);
}

/**
 * Runs a transaction, and counts its events and the rows that it has written for its caller.
 *
 * A transaction that fails counts too: its work was done. But it has written no text.
 */
export async function runCharged<Types extends EmittedType, Result>(
  ctx: Context,
  emits: readonly EmittedType[],
  run: (tx: UnitOfWork<Types>) => Promise<Result>,
): Promise<Result> {
  let last: UnitOfWork<Types> | undefined;
  const copied = new CopiedRows(ctx.deps.limits.texts, ctx.deps.uploads.bytes);
  try {
    const remembered = (tx: UnitOfWork<Types>) => run((last = tx));
    return await runInTransaction(ctx.deps, emits, remembered, copied);
  } finally {
    const { pendingEvents = [], written } = last ?? {};
    await ctx.chargeEvents?.(Math.max(pendingEvents.length, written?.rows ?? 0));
  }
}
