import { ruleOf, type Operation } from "../../contract/policy.ts";
import { missingPermission } from "../../platform/errors.ts";
import type { ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import type { Authorized } from "../access/authorize.ts";
import type { TargetResources } from "../access/resources.ts";
import {
  authorizeCall,
  handlerContext,
  prepare,
  type CallRequest,
} from "../invocation/authorize-call.ts";
import type { Created, Emits, HandlerContext } from "../invocation/types.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import type { NewId } from "../idempotency/client-id.ts";
import type { Context } from "../request/context.ts";

/** What the handler of a write gets: its target, and the public id for what it creates. */
export type Writes<Name extends Operation> = HandlerContext<Name> &
  (Created<Name> extends never ? object : { newId: string });

/** The context of a repeated create: it has the resource that the first call created. */
type RepeatedContext<Name extends Operation> =
  Created<Name> extends infer Kind extends ResourceKind
    ? Omit<HandlerContext<Name>, keyof TargetResources<Kind>> & TargetResources<Kind>
    : never;

/** How a create answers when an earlier call has created the resource with the client's id. */
export type OnReplay<Name extends Operation, Extra> =
  Created<Name> extends never
    ? object
    : {
        /** Shows the resource as it is now; undefined to run the handler again. */
        onReplay: (context: RepeatedContext<Name> & Extra) => unknown;
      };

/** What a write does in its transaction before its target is locked. */
export type BeforeLock<Name extends Operation, Input, Before> = {
  /** Locks rows that come before the target in the order of locks. */
  beforeLock?: (
    context: Context & HandlerContext<Name> & { tx: UnitOfWork<Emits<Name>> },
    input: Input,
  ) => Promise<Before>;
  /** Whether an input needs that; by default each does. Others are authorized once. */
  locksBefore?: (input: Input) => boolean;
};

/** The options of a builder; a create must have `onReplay`. */
export type OptionsOf<Name extends Operation, Options> =
  Created<Name> extends never ? [options?: Options] : [options: Options];

/** Throws if a create does not declare `onReplay`. */
export function checkReplay(name: Operation, options: object = {}): void {
  if (!("creates" in ruleOf(name)) || "onReplay" in options) return;
  throw new Error(`${name} creates a resource: its builder needs \`onReplay\`.`);
}

type LockOptions<Before> = {
  beforeLock?: (context: never, input: never) => Promise<Before>;
  locksBefore?: (input: never) => boolean;
};

/** Whether a call locks rows before its target. */
export const hasBeforeLock = (
  { beforeLock, locksBefore }: LockOptions<unknown> = {},
  input: unknown,
): boolean => beforeLock !== undefined && locksBefore?.(input as never) !== false;

/** Locks the target of an authorized call, after what the operation does before. */
export async function lockTarget<Before>(
  tx: UnitOfWork,
  ctx: Context,
  request: CallRequest,
  authorized: Authorized,
  options: LockOptions<Before> = {},
): Promise<{ authorized: Authorized; before?: Before }> {
  const { beforeLock } = options;
  if (beforeLock === undefined || !hasBeforeLock(options, request.input)) return { authorized };
  const context = { ...ctx, ...handlerContext<Operation, { tx: UnitOfWork }>(authorized, { tx }) };
  // The types of the context and the input are those of the operation.
  const before = await beforeLock(context as never, request.input as never);
  const locked = await authorizeCall(tx.query, ctx, { ...request, lock: true });
  prepare(tx, ctx, locked, request.name);
  return { authorized: locked, before };
}

/** Lets the call's cards exceed the limits of lists if it says so, which requires `list:edit`. */
export function checkOverride(
  tx: UnitOfWork,
  { input }: CallRequest,
  { membership }: Authorized,
): void {
  if (input["override"] !== true) return;
  if (membership?.may.has("list:edit") !== true) throw missingPermission("list:edit");
  tx.mayExceedListLimits = true;
}

/** Runs the handler of a call; a repeated create is answered by `onReplay` instead. */
export async function runHandler<Added extends object>(
  ctx: Context,
  authorized: Authorized,
  { publicId: newId, existing }: NewId,
  added: object,
  options: object = {},
  handle: (added: Added) => Promise<unknown>,
): Promise<unknown> {
  const context = handlerContext<Operation, object>(authorized, { ...added, newId });
  const onReplay =
    "onReplay" in options && typeof options.onReplay === "function" ? options.onReplay : null;
  const repeated: unknown = existing && (await onReplay?.({ ...ctx, ...context, ...existing }));
  // The context is that of the operation's rule, and what its builder adds.
  return repeated ?? handle(context as Added);
}
