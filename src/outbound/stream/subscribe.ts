import { StreamItem } from "../../contract/event-envelope.ts";
import { checkBoardVisible } from "../../kernel/access/accessible-list.ts";
import { requireCredential } from "../../kernel/access/credentials.ts";
import { cursorsOf } from "../../kernel/events/cursor.ts";
import { cursorField, EventFilter } from "../../kernel/events/filter.ts";
import { readCursor } from "../../kernel/events/log.ts";
import { workspaceLog } from "../../kernel/events/log-sql.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";

const StreamStart = EventFilter.extend({
  cursor: cursorField(
    "The id of the last event, or a `nextCursor` of the feed; `now` or absent for new events only.",
  ),
  lastEventId: cursorField(
    "Replaces `cursor` for clients that reconnect and cannot send the `Last-Event-ID` header.",
  ),
});

/** Streams the events of a workspace. */
export const streamEvents = query("workspace.stream", StreamStart)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/events/stream",
      "Stream events",
      "Streams the events of a workspace after a cursor, without gaps, as server-sent events. " +
        "The stream starts with `ready`. Each event has its cursor as `id`, its type as `event`, " +
        "and itself as `data`. A client that reads too slowly gets `resync`, and then the events " +
        "that it missed. The stream ends after at most ten minutes, and when the caller loses " +
        "access. Reconnect with `Last-Event-ID` to get each event exactly once.",
      { events: StreamItem },
    ),
  )
  .subscription(async ({ ctx, input, signal }) => {
    const { workspace, caller, db, deps } = ctx;
    const { types, boardPublicId: board, lastEventId } = input;
    if (board !== undefined) await checkBoardVisible(db.query, board, ctx);
    const cursor = lastEventId ?? (input.cursor === "now" ? undefined : input.cursor);
    const field = lastEventId === undefined ? "cursor" : "lastEventId";
    const cursors = cursorsOf(deps.seal, workspace.id, deps.config.EVENT_DAYS);
    const positionOf = (text: string) =>
      readCursor(db.query, workspaceLog(workspace.id), cursors, {
        cursor: text,
        now: deps.clock(),
        field,
      });
    const from = cursor === undefined ? undefined : { position: await positionOf(cursor), cursor };
    const reader = {
      credential: requireCredential(ctx),
      operation: "workspace.stream" as const,
      workspaceId: workspace.id,
      filter: { types, board },
    };
    const stream = await deps.hub.subscribe(workspace, { reader, userId: caller.userId, from });
    if (signal?.aborted) stream.close();
    signal?.addEventListener("abort", () => stream.close(), { once: true });
    ctx.responseMeta.eventStream = stream;
    return stream;
  });
