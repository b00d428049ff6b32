import { ruleOf } from "../../contract/policy.ts";
import type { Caller } from "../access/callers.ts";
import { actorOf, operatorActor, type StoredActor } from "../events/actor.ts";
import { cursorsOf, type LogPosition } from "../events/cursor.ts";
import { workspaceLog } from "../events/logs.ts";
import { positionOfEvent } from "../events/log.ts";
import { writeEvents } from "../events/persist.ts";
import { conflict } from "../../platform/errors.ts";
import type { CompletePart, UnitOfWork } from "../events/unit-of-work.ts";
import type { Context, Published } from "../request/context.ts";
import { recordAction } from "./operator-log.ts";
import type { NamedCall } from "./types.ts";

/** The last event of a call, known after the commit; undefined without events. */
export type Publication = { published: Promise<Published | undefined> };

/**
 * Completes the events of a call's transaction, and sends them as its last step.
 *
 * The response names the version and the last event. A write of an operator is recorded in the
 * operator's own log.
 */
export async function publishEvents(
  tx: UnitOfWork,
  ctx: Context,
  call: NamedCall,
  caller: Caller | null,
): Promise<Publication> {
  const isOperator = ruleOf(call.name).on === "operator";
  if (isOperator) await recordAction(tx, ctx, call, caller);
  const actor = isOperator ? operatorActor : actorOf(caller);
  if (ctx.joined !== undefined) checkBatch(tx);
  const complete = tx.completeEvents?.(tx);
  if (ctx.joined === undefined) return sendEvents(tx, ctx, actor, complete);
  // A batch sends the events of all its calls at its end: later calls may change their cards.
  await complete?.(tx.pendingEvents);
  tx.updateVersion(tx.pendingEvents);
  ctx.responseMeta.version = tx.version;
  return { published: Promise.resolve(undefined) };
}

/** The maximum number of events of a batch: they stay in memory until its end. */
const maxEvents = 5_000;

function checkBatch({ earlierEvents, pendingEvents }: UnitOfWork): void {
  const count = earlierEvents.length + pendingEvents.length;
  if (count <= maxEvents) return;
  throw conflict("limit_exceeded", `The batch makes more than ${maxEvents} events.`);
}

/** Sends events, which `complete` completes; the response names the version and the last one. */
export async function sendEvents(
  tx: UnitOfWork,
  ctx: Context,
  actor: StoredActor,
  complete?: CompletePart,
): Promise<Publication> {
  const { requestMetadata, idempotencyKey, responseMeta } = ctx;
  // Tenants do not see where an operator is.
  const ip = actor.type === "system" ? null : requestMetadata.ip;
  const origin = { ...requestMetadata, ip, mutationId: idempotencyKey };
  const last = await writeEvents(tx, actor, origin, complete);
  responseMeta.version = tx.version;
  responseMeta.lastEvent = last?.publicId;
  if (last === undefined) return { published: Promise.resolve(undefined) };
  const { workspaceId, publicId: lastEvent } = last;
  const published = last.position.then((position) => ({
    lastEvent,
    feedCursor: cursorAfter(ctx, workspaceId, position, tx.now),
  }));
  published.catch(() => undefined);
  return { published };
}

/** What an earlier call has published; undefined when its last event was deleted. */
export async function publishedEarlier(
  ctx: Context,
  lastEvent: string | undefined,
): Promise<Published | undefined> {
  if (lastEvent === undefined) return undefined;
  const event = await positionOfEvent(ctx.deps.db.read, lastEvent);
  if (event === undefined) return undefined;
  const { workspaceId, position, createdAt } = event;
  return { lastEvent, feedCursor: cursorAfter(ctx, workspaceId, position, createdAt) };
}

function cursorAfter({ deps }: Context, workspaceId: bigint, position: LogPosition, at: Date) {
  const cursors = cursorsOf(deps.seal, workspaceLog(workspaceId), deps.config.EVENT_DAYS);
  return cursors.write(position, at);
}
