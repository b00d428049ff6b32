import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { checkBoardVisible } from "../../kernel/access/accessible-list.ts";
import { requireCredential } from "../../kernel/access/credentials.ts";
import { cursorsOf, retainedSince, type Position } from "../../kernel/events/cursor.ts";
import { endOfLog, startOfLog } from "../../kernel/events/log.ts";
import { readPage } from "../../kernel/events/page.ts";
import { cursorField, EventFilter } from "../../kernel/events/filter.ts";
import { Event } from "../../contract/event-envelope.ts";
import { viewEvent } from "../../kernel/events/view.ts";
import { Page } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

const From = Page.extend(EventFilter.shape).extend({
  cursor: cursorField(
    "The `nextCursor` of the page before, or `now` for what happens from now on; absent for the oldest event that is kept.",
  ),
  wait: z.int().min(0).max(30).default(0).meta({
    description: "For how many seconds to wait for an event when there is none.",
  }),
});

/** What has happened in a workspace, in one order for everybody, and nothing twice or left out. */
export const listEvents = query("workspace.events", From)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/events",
      "Follow what happens, page by page",
      "Every event that the caller may see, oldest first, each exactly once for a reader who follows `nextCursor`, which is never null: an empty page means that nothing more has happened, or that what has is not for the caller. A card that goes to a board which the caller may not see is told as a `card.moved` of the board that it left, with the `publicId` of `data.card` and `data.from` alone. With `wait` the answer waits for the next event. A cursor is good for as long as events are kept, and 400 after that.",
    ),
  )
  .output(z.object({ items: z.array(Event), nextCursor: z.string() }))
  .query(async ({ ctx, input, signal }) => {
    const { workspace, membership, db, deps } = ctx;
    const { limit, wait, types, boardPublicId: board } = input;
    if (board !== undefined) await checkBoardVisible(db.query, board, ctx);
    const days = deps.config.EVENT_DAYS;
    const cursors = cursorsOf(deps.seal, workspace.id, days);
    const begin = async (): Promise<Position> => {
      if (input.cursor === "now") return (await endOfLog(db.query)).complete;
      if (input.cursor !== undefined) return cursors.read(input.cursor, deps.clock(), "cursor");
      return startOfLog(db.query, workspace.id, retainedSince(deps.clock(), days));
    };
    const reader = {
      credential: requireCredential(ctx),
      operation: "workspace.events" as const,
      workspaceId: workspace.id,
      filter: { types, board },
    };
    const over = performance.now() + wait * 1_000;
    // Before the first look, so that nothing can come between the two.
    const watch = wait > 0 ? await deps.hub.watch(workspace) : undefined;
    try {
      for (let after = await begin(); ;) {
        const page = await readPage(deps, reader, { after, limit, may: membership.may });
        const left = over - performance.now();
        const isPatient = watch !== undefined && left > 0 && !watch.isReleased && !signal?.aborted;
        if (page.rows.length > 0 || page.more || !isPatient) {
          return {
            items: page.rows.map((row) => viewEvent(row, workspace.publicId)),
            nextCursor: cursors.write(page.end, page.at ?? deps.clock()),
          };
        }
        after = page.end;
        await watch.next(left, signal);
      }
    } finally {
      watch?.close();
    }
  });
