import { idFieldOf, isOperation, ruleOf } from "../../contract/policy.ts";
import { Failure } from "../../platform/errors.ts";
import { resolveTargets, type Target } from "../access/resolve-target.ts";
import type { Context } from "../request/context.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import type { Prefetched, PrefetchedReads } from "../access/prefetched-reads.ts";
import type { Meta } from "../request/trpc.ts";
import type { Batchable } from "./batch-schemas.ts";

type Call = { operation: string; input: Record<string, unknown> };

/** For fewer calls their own statements cost as much. */
const fewest = 3;

/** Reads what the calls of a batch need, for as many calls as possible at once. */
export class Prefetch {
  readonly #batchable: Batchable;
  readonly #tx: Pick<UnitOfWork, "query" | "workspaceId">;
  readonly #ctx: Context;
  #targets = new Map<string, Target>();
  #reads: PrefetchedReads | undefined;
  #end = 0;

  constructor(batchable: Batchable, tx: Pick<UnitOfWork, "query" | "workspaceId">, ctx: Context) {
    this.#batchable = batchable;
    this.#tx = tx;
    this.#ctx = ctx;
  }

  /** What was read for a call before its turn; undefined where it reads for itself. */
  async take(calls: Call[], nth: number): Promise<Prefetched | undefined> {
    if (nth >= this.#end) await this.#read(calls.slice(nth), nth);
    const reads = this.#reads;
    const [call] = calls.slice(nth);
    if (reads?.isCurrent !== true || call === undefined) return undefined;
    const target = this.#targets.get(idOf(call) ?? "");
    return target && { target, early: (input) => reads.read(input) };
  }

  /** Reads for the first calls that are of one operation, each with a target of its own. */
  async #read(calls: Call[], start: number): Promise<void> {
    this.#reads = undefined;
    const [first] = calls;
    if (first === undefined) return;
    const ids = new Set<string>();
    for (const call of calls) {
      const id = idOf(call);
      if (call.operation !== first.operation || id === undefined || ids.has(id)) break;
      ids.add(id);
    }
    this.#end = start + Math.max(ids.size, 1);
    const prefetchReads = this.#metaOf(first)?.prefetchReads;
    const { credential, deps } = this.#ctx;
    const { query, workspaceId } = this.#tx;
    if (prefetchReads === undefined || ids.size < fewest || credential instanceof Failure) return;
    if (workspaceId === undefined) return;
    const targets = { on: onOf(first), ids: [...ids], workspaceId };
    this.#targets = await resolveTargets(query, credential, deps.clock(), targets);
    const inputs = calls.slice(0, ids.size).map(({ input }) => input);
    this.#reads = await prefetchReads(query, inputs);
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
