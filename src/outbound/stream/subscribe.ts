import { query } from "../../kernel/procedures/query.ts";
import { checkBoardVisible } from "../../kernel/access/accessible-list.ts";
import { requireCredential } from "../../kernel/access/credentials.ts";
import { aheadOfLog, cursorsOf, isBefore } from "../../kernel/events/cursor.ts";
import { cursorField, EventFilter } from "../../kernel/events/filter.ts";
import { endOfLog } from "../../kernel/events/log.ts";
import { StreamItem } from "../../contract/event-envelope.ts";
import { rest } from "../../kernel/request/rest.ts";

const From = EventFilter.extend({
  cursor: cursorField(
    "Where to begin: the id of the last event that was seen, or a `nextCursor` of the feed. Absent or `now` for what happens from now on.",
  ),
  lastEventId: cursorField(
    "The same, of more weight, for clients that come again and cannot send the header Last-Event-ID.",
  ),
});

/** What happens in a workspace, as it happens. */
export const streamEvents = query("workspace.stream", From)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/events/stream",
      "Follow what happens, live",
      "Server-sent events: first `ready`, then every event that the caller may see, as the feed has them, beginning after the cursor and without a gap between what was and what comes. Each has its cursor as `id`, its type as `event` and itself as `data`. A client that takes them too slowly is told `resync`, and then gets what it missed at its own speed. The stream ends after ten minutes at most, and whenever the caller loses the right to it; whoever comes again with `Last-Event-ID` misses nothing and sees nothing twice.",
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
    const from =
      cursor === undefined
        ? undefined
        : { position: cursors.read(cursor, deps.clock(), field), cursor };
    if (from !== undefined && isBefore((await endOfLog(db.query)).next, from.position)) {
      throw aheadOfLog(field);
    }
    const reader = {
      credential: requireCredential(ctx),
      operation: "workspace.stream" as const,
      workspaceId: workspace.id,
      filter: { types, board },
    };
    const follower = await deps.hub.follow(workspace, {
      reader,
      userId: caller.userId,
      from,
    });
    if (signal?.aborted) follower.close();
    signal?.addEventListener("abort", () => follower.close(), { once: true });
    ctx.responseMeta.eventStream = follower;
    return follower;
  });
