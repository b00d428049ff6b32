import type { Caller } from "../access/callers.ts";
import { actorOf } from "../events/actor.ts";
import { cursorsOf } from "../events/cursor.ts";
import { persistEvents } from "../events/persist.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import type { Context } from "../request/context.ts";

/** Writes the events of a call's transaction; the response names its version and its last event. */
export async function publishEvents(
  tx: UnitOfWork,
  { deps, requestMetadata, idempotencyKey, responseMeta }: Context,
  caller: Caller | null,
): Promise<void> {
  const origin = { ...requestMetadata, mutationId: idempotencyKey };
  const last = await persistEvents(tx, actorOf(caller), origin);
  responseMeta.version = tx.version;
  if (last === undefined) return;
  const cursors = cursorsOf(deps.seal, last.workspaceId, deps.config.EVENT_DAYS);
  const feedCursor = cursors.write(last, tx.now);
  responseMeta.published = { lastEvent: last.publicId, feedCursor };
}
