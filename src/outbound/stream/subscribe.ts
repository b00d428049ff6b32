import { StreamItem } from "../../contract/event-envelope.ts";
import { checkBoardVisible } from "../../kernel/access/accessible-list.ts";
import { requireCredential } from "../../kernel/access/credentials.ts";
import { cursorField, EventFilter } from "../../kernel/events/filter.ts";
import { workspaceLog } from "../../kernel/events/logs.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { startOf } from "./open-streams.ts";

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
    const from = await startOf(deps, workspaceLog(workspace.id), { field, cursor });
    const reader = {
      credential: requireCredential(ctx),
      operation: "workspace.stream" as const,
      filter: { types, board },
    };
    const stream = await deps.hub.subscribe(caller.userId, { owner: workspace, reader, from });
    if (signal?.aborted) stream.close();
    signal?.addEventListener("abort", () => stream.close(), { once: true });
    ctx.responseMeta.eventStream = stream;
    return stream;
  });
