import { ruleOf, type Operation } from "../../contract/policy.ts";
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
  return ctx.joined === undefined
    ? runInTransaction(ctx.deps, emits, run)
    : ctx.joined.run(emits, run);
}
