import { z } from "zod";
import { Event } from "../../contract/event-envelope.ts";
import { Page } from "../../contract/vocabulary/texts.ts";
import { checkBoardVisible } from "../../kernel/access/accessible-list.ts";
import { requireCredential } from "../../kernel/access/credentials.ts";
import { cursorsOf, retainedSince, type LogPosition } from "../../kernel/events/cursor.ts";
import { cursorField, EventFilter } from "../../kernel/events/filter.ts";
import { endOfLog, readCursor, startOfLog } from "../../kernel/events/log.ts";
import { workspaceLog } from "../../kernel/events/logs.ts";
import { readPage } from "../../kernel/events/page.ts";
import { viewEvent } from "../../kernel/events/view.ts";
import { query } from "../../kernel/procedures/query.ts";
import { readPageInTurn } from "../../kernel/request/expensive-work.ts";
import { rest } from "../../kernel/request/rest.ts";

const FeedPage = Page.extend(EventFilter.shape).extend({
  cursor: cursorField(
    "The `nextCursor` of the previous page; `now` for new events; absent for the oldest event.",
  ),
  wait: z
    .int()
    .min(0)
    .max(30)
    .default(0)
    .meta({
      examples: [0],
      description: "How many seconds to wait for an event when there is no new one.",
    }),
});

/** Lists the events of a workspace in order, each exactly once. */
export const listEvents = query("workspace.events", FeedPage)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/events",
      "List events",
      "Returns the events of a workspace that the caller can see, oldest first. Follow " +
        "`nextCursor`, which is never null, to get each event exactly once; an empty page means " +
        "that there is no new one. `wait` makes the call wait for the next event. If a card " +
        "moves to a board that the caller cannot see, `card.moved` has the old board and only " +
        "the ids of card and list. Returns 400 if the cursor is older than the retention period " +
        "of events.",
    ),
  )
  .output(
    z.object({
      items: z.array(Event).meta({
        description: "The items, in order.",
        examples: [
          [
            {
              id: "e2v8e6n4t1s7",
              timestamp: "2026-02-02T08:15:00.000Z",
              order: "2a71k",
              workspacePublicId: "k3v9x1q7w2m8",
              boardPublicId: "p5d2h8s4t6b1",
              actor: { type: "user", publicId: "u5s9r3a1d7l8", name: "Ada Lovelace" },
              mutationId: "7d0f3f5e-3c1b-4c3e-9d8a-2f6b1a5c4e70",
              type: "workspace.created",
              data: {
                workspace: {
                  publicId: "k3v9x1q7w2m8",
                  name: "Analytical Engines",
                  slug: "analytical-engines",
                  description: "Everything that we build",
                  plan: "free",
                  cardPrefix: "AE",
                  weekStartDay: 1,
                  timeZone: "Europe/Berlin",
                  showEmailsToMembers: false,
                  requiresSecondFactor: false,
                  version: 3,
                  createdAt: "2026-01-31T10:00:00.000Z",
                  updatedAt: "2026-02-02T08:15:00.000Z",
                  deletedAt: null,
                },
              },
            },
          ],
        ],
      }),
      nextCursor: z.string().meta({
        description: "The `cursor` of the next page. Null on the last page.",
        examples: ["v1.c2VhbGVkIHNvIHRoYXQgbm9ib2R5IHJlYWRzIGl0.2a71k"],
      }),
    }),
  )
  .query(async ({ ctx, input, signal }) => {
    const { workspace, membership, caller, db, deps } = ctx;
    const { limit, wait, types, boardPublicId: board } = input;
    if (board !== undefined) await checkBoardVisible(db.query, board, ctx);
    const days = deps.config.EVENT_DAYS;
    const log = workspaceLog(workspace.id);
    const cursors = cursorsOf(deps.seal, log, days);
    const start = async (): Promise<LogPosition> => {
      const { cursor } = input;
      if (cursor === "now") return endOfLog(db.query, log);
      const at = { now: deps.clock(), field: "cursor" };
      if (cursor !== undefined) return readCursor(db.query, log, cursors, { cursor, ...at });
      return startOfLog(db.query, workspace.id, retainedSince(deps.clock(), days));
    };
    const reader = {
      credential: requireCredential(ctx),
      operation: "workspace.events" as const,
      filter: { types, board },
    };
    const deadline = performance.now() + wait * 1_000;
    // The watch starts before the first read, so that it misses no event.
    const watch = wait > 0 ? await deps.hub.watch(workspace, caller.userId) : undefined;
    try {
      for (let after = await start(); ;) {
        const from = { after, limit, may: membership.may };
        const page = await readPageInTurn(ctx, () => readPage(deps, workspace.id, reader, from));
        const waitMs = deadline - performance.now();
        const isDone = page.rows.length > 0 || page.hasMore;
        const canWait = waitMs > 0 && watch?.isReleased === false && signal?.aborted !== true;
        if (isDone || !canWait) {
          return {
            items: page.rows.map((row) => viewEvent(row, workspace.publicId)),
            nextCursor: cursors.write(page.end, page.at ?? deps.clock()),
          };
        }
        after = page.end;
        await watch?.next(waitMs, signal);
      }
    } finally {
      watch?.close();
    }
  });
