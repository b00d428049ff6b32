import { z } from "zod";
import { DroppedField } from "../../contract/resources/custom-fields.ts";
import { badRequest, conflict, Failure, notFound, unavailable } from "../../platform/errors.ts";
import { actorOf } from "../events/actor.ts";
import type { PendingEvent } from "../events/pending-event.ts";
import { joinable } from "../events/transaction.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import type { Context } from "../request/context.ts";
import { failureOf } from "../request/error-response.ts";
import { authorizeClaimed } from "../invocation/authorize-call.ts";
import { batchReplay } from "./replay.ts";
import {
  BatchInput,
  OperationOutput,
  type Batchable,
  type BatchedOperation,
  type Result,
  type TypedFields,
} from "./schemas.ts";
import { isOperation, ruleOf } from "../../contract/policy.ts";
import type { Authorized } from "../access/authorize.ts";
import { Builder, definitionOf, inputOf, type InputOf } from "../procedures/builder.ts";
import { sendEvents } from "../invocation/publish.ts";
import { noKey, withKey, type CallKey } from "../idempotency/keyed-call.ts";
import { runCharged } from "../invocation/in-transaction.ts";
import { storedBytes } from "../../platform/db/written.ts";
import { lockTargets } from "./lock.ts";

const name = "workspace.batch";

/** How long a batch may run before its last operation begins: it holds locks for others. */
const longestMs = 2_500;
/** The maximum size of its results. */
const maxResultBytes = 8 * 1024 * 1024;
/**
 * How many rows its operations may write before the next one is refused.
 *
 * A single operation may be about a whole list: others wait for its lock for four seconds.
 */
const maxRows = 10_000;
/** How many rows that are read count as one that is written. */
const readsPerWrite = 5;

type Call = z.output<typeof BatchedOperation>;

/** Rolls a dry run back, and carries its answer. */
class RolledBack extends Error {
  readonly response: unknown;
  /** How many bytes it would have stored. */
  readonly bytes: number;
  constructor(response: unknown, bytes: number) {
    super("The batch is a dry run.");
    this.response = response;
    this.bytes = bytes;
  }
}

/** An operation that runs other operations in one transaction, all or nothing. */
export const batchMutation = <Typed>(batchable: Batchable) => {
  const onReplay = batchReplay(batchable);
  // Each operation validates its own input when its turn comes; clients see the types of all.
  const typed = BatchInput as unknown as z.ZodObject<TypedFields<Typed>>;
  return new Builder<InputOf<typeof name, TypedFields<Typed>>, { results: Result[] }>(
    name,
    inputOf(name, typed),
    async ({ ctx, input: rawInput, named, parse }, handle) => {
      // It was validated by this schema, without the types of the operations.
      const input = rawInput as unknown as z.output<typeof BatchInput> & {
        workspacePublicId: string;
      };
      const { operations, dryRun = false } = input;
      if (operations.length > 1) await ctx.countMore?.(operations.length - 1);
      const progress: Progress = { failed: undefined };
      const transact = async (key: CallKey) => {
        const { response, published } = await runCharged(ctx, [], async (tx: UnitOfWork) => {
          progress.failed = undefined;
          Object.assign(ctx.responseMeta, { published: undefined, lastEvent: undefined });
          const request = { ...named, writes: true, lock: false };
          const authorized = await authorizeClaimed(tx, ctx, request, key.hold(tx));
          const { workspaceId } = tx;
          if (workspaceId === undefined) throw notFound("workspace");
          await lockTargets(tx, workspaceId, allowedOf(operations, authorized));
          const { caller } = authorized;
          const results = await runAll({ batchable, tx, ctx, progress, dryRun }, operations);
          const publishing = await sendEvents(tx, ctx, actorOf(caller));
          const output = parse(await handle({ results }));
          if (dryRun) {
            // Waits until all statements have succeeded.
            await publishing.published;
            throw new RolledBack(output, storedBytes(tx.written));
          }
          void key.save(tx.query, output);
          return { response: output, ...publishing };
        });
        ctx.responseMeta.published = await published;
        return response;
      };
      const run = (key: CallKey) =>
        transact(key).catch((error: unknown) => {
          throw failedAt(error, progress);
        });
      if (!dryRun) return withKey(ctx, named, onReplay, "transaction", run);
      return run(noKey).catch(async (error: unknown) => {
        ctx.responseMeta.published = undefined;
        if (!(error instanceof RolledBack)) throw error;
        // A dry run costs what the real one costs: it locks and writes as much.
        if (ctx.userId !== undefined) await ctx.deps.limits.stored(ctx.userId, error.bytes);
        return error.response;
      });
    },
  );
};

/** The index of the operation that failed, even if its statement was not awaited. */
type Progress = { failed: number | undefined };

type Batch = {
  batchable: Batchable;
  tx: UnitOfWork;
  ctx: Context;
  progress: Progress;
  dryRun: boolean;
};

/** Runs the operations of a batch in order; `progress` names the first one that fails. */
async function runAll({ batchable, tx, ctx, progress, dryRun }: Batch, operations: Call[]) {
  const results: Result[] = [];
  const deadline = performance.now() + longestMs;
  let [resultBytes, rowsRead] = [0, 0];
  const answered = (rows: number) => void (rowsRead += rows);
  for (const [nth, call] of operations.entries()) {
    try {
      const procedure = Object.hasOwn(batchable, call.operation)
        ? batchable[call.operation]
        : undefined;
      if (procedure === undefined) throw notBatchable(call.operation);
      if (tx.written.rows + rowsRead / readsPerWrite > maxRows) throw tooManyRows();
      if (performance.now() > deadline) throw tooLong();
      const ifMatch = call.ifVersion === undefined ? undefined : `"${call.ifVersion}"`;
      const responseMeta: Context["responseMeta"] = {};
      const operationContext = { ...ctx, ifMatch, responseMeta, httpBatch: undefined };
      const failed = () => void (progress.failed ??= nth);
      const joined = joinable(tx, { failed, answered });
      const earlier = tx.pendingEvents.length;
      const output = await definitionOf(procedure).run({
        ctx: { ...operationContext, joined },
        getRawInput: () => Promise.resolve(call.input),
      });
      const version = responseMeta.version ?? null;
      const dropped = dryRun ? droppedBy(tx.pendingEvents.slice(earlier)) : {};
      const result = { version, output: OperationOutput.parse(output), ...dropped };
      results.push({ operation: call.operation, ...result });
      resultBytes += JSON.stringify(result).length;
      if (resultBytes > maxResultBytes) throw tooLarge();
    } catch (error) {
      progress.failed ??= nth;
      throw error;
    }
  }
  return results;
}

const Moved = z.object({
  card: z.object({ publicId: z.string() }),
  droppedFields: z.array(DroppedField),
});

/** The values that cards lose by the events of an operation. */
function droppedBy(events: PendingEvent[]): Pick<Result, "droppedFields"> {
  const dropped = events.flatMap(({ data }) => {
    const { card, droppedFields = [] } = Moved.safeParse(data).data ?? {};
    return droppedFields.map((field) => ({ ...field, cardPublicId: card?.publicId ?? "" }));
  });
  return dropped.length === 0 ? {} : { droppedFields: dropped };
}

/** The operations that the role of the caller allows. */
const allowedOf = (operations: Call[], { membership }: Authorized) =>
  operations.filter(({ operation }) => {
    if (!isOperation(operation)) return false;
    const rule = ruleOf(operation);
    if (!("needs" in rule)) return false;
    const mayPerform = rule.needs === "member" || membership?.may.has(rule.needs) === true;
    return mayPerform || rule.orCreator === true;
  });

const tooLong = () =>
  unavailable("timeout", "The batch took too long and was rolled back. Run fewer operations.");

const tooManyRows = () =>
  conflict(
    "limit_exceeded",
    `The earlier operations wrote ${maxRows.toLocaleString("en")} rows. A row that is ` +
      "read counts as a fifth. Run fewer operations.",
  );

const tooLarge = () =>
  conflict("limit_exceeded", `The results exceed ${maxResultBytes} bytes. Run fewer operations.`);

const notBatchable = (operation: string) =>
  badRequest("operation_alone", `${operation} cannot be part of a batch.`, ["operation"]);

/** The failure of an operation with its index; an unexpected error stays as it is. */
function failedAt(error: unknown, { failed }: Progress): unknown {
  if (failed === undefined) return error;
  const { body, headers } = failureOf(error);
  if (body.code === "INTERNAL_SERVER_ERROR") return error;
  const cause = error instanceof Error ? error.cause : undefined;
  const failure = new Failure(body.code, body.issues, headers, cause);
  failure.failedAt = failed;
  return failure;
}
