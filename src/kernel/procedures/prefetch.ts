import { idFieldOf, isOperation, ruleOf } from "../../contract/policy.ts";
import type { Query } from "../../platform/db/query.ts";
import { Failure } from "../../platform/errors.ts";
import { resolveTargets, type Target } from "../access/resolve-target.ts";
import type { Context } from "../request/context.ts";
import type { Prefetched, Together } from "../access/read-together.ts";
import type { Meta } from "../request/trpc.ts";
import type { Batchable } from "./batch-schemas.ts";

type Call = { operation: string; input: Record<string, unknown> };

/** For fewer calls their own statements cost as much. */
const fewest = 3;

/** Reads what the calls of a batch need, for as many calls as possible at once. */
export class Prefetch {
  readonly #batchable: Batchable;
  readonly #query: Query;
  readonly #ctx: Context;
  #targets = new Map<string, Target>();
  #together: Together | undefined;
  #end = 0;

  constructor(batchable: Batchable, query: Query, ctx: Context) {
    this.#batchable = batchable;
    this.#query = query;
    this.#ctx = ctx;
  }

  /** What was read for a call before its turn; undefined where it reads for itself. */
  async take(calls: Call[], nth: number): Promise<Prefetched | undefined> {
    if (nth >= this.#end) await this.#read(calls.slice(nth), nth);
    const together = this.#together;
    const [call] = calls.slice(nth);
    if (together?.isCurrent !== true || call === undefined) return undefined;
    const target = this.#targets.get(idOf(call) ?? "");
    return target && { target, early: (input) => together.read(input) };
  }

  /** Reads for the first calls that are of one operation, each with a target of its own. */
  async #read(calls: Call[], start: number): Promise<void> {
    this.#together = undefined;
    const [first] = calls;
    if (first === undefined) return;
    const ids = new Set<string>();
    for (const call of calls) {
      const id = idOf(call);
      if (call.operation !== first.operation || id === undefined || ids.has(id)) break;
      ids.add(id);
    }
    this.#end = start + Math.max(ids.size, 1);
    const readTogether = this.#metaOf(first)?.readTogether;
    const { credential, deps } = this.#ctx;
    if (readTogether === undefined || ids.size < fewest || credential instanceof Failure) return;
    const target = { on: onOf(first), ids: [...ids] };
    this.#targets = await resolveTargets(this.#query, credential, deps.clock(), target);
    const inputs = calls.slice(0, ids.size).map(({ input }) => input);
    this.#together = await readTogether(this.#query, inputs);
  }

  #metaOf({ operation }: Call): Meta | undefined {
    const procedure = Object.hasOwn(this.#batchable, operation)
      ? this.#batchable[operation]
      : undefined;
    // tRPC does not type metadata: the builders set it.
    return (procedure?._def as { meta?: Meta } | undefined)?.meta;
  }
}

const onOf = ({ operation }: Call) => {
  const on = isOperation(operation) ? ruleOf(operation).on : undefined;
  if (on === undefined || on === "public" || on === "self" || on === "operator") {
    throw new Error(`${operation} has no target.`);
  }
  return on;
};

/** The public id of a call's target. */
function idOf({ operation, input }: Call): string | undefined {
  if (!isOperation(operation)) return undefined;
  const rule = ruleOf(operation);
  const id = "needs" in rule ? input[idFieldOf(rule)] : undefined;
  return typeof id === "string" ? id : undefined;
}
