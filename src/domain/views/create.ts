import { z } from "zod";
import { groupingText, NewView, View } from "../../contract/resources/views.ts";
import { isVisible, viewerOf, type Viewer } from "../../kernel/access/visibility.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { checkCount, checkLimit } from "../../kernel/limits.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { insertRows } from "../../platform/db/insert-rows.ts";
import { firstRow, type Query } from "../../platform/db/query.ts";
import type { View as Row } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { badRequest, missingPermission, notFound } from "../../platform/errors.ts";
import { checkStored } from "./check.ts";
import { emitView } from "./emit.ts";
import { readView } from "./read.ts";
import type { ViewContent } from "../presenters/views.ts";

const New = z.strictObject(NewView);
type Input = z.output<typeof New>;

/** Saves a view. */
export const createView = mutation("view.create", New, {
  onReplay: ({ view, workspace, tx, ...ctx }) =>
    readView(tx.query, workspace, viewerOf(ctx), view.id),
})
  .meta(
    rest("Views").post(
      "/workspaces/{workspacePublicId}/views",
      "Save a view",
      "Saves a filter, an order and a grouping under a name. A view with scope `board` requires " +
        "`board:edit` as well, and one with scope `workspace` requires `workspace:edit`. Returns " +
        "409 if the workspace, or the caller, has too many views.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(View)
  .mutation(async ({ ctx: { workspace, caller, membership, newId, tx }, input }) => {
    const viewer = viewerOf({ membership, caller });
    const { scope } = input;
    const needed = { private: null, board: "board:edit", workspace: "workspace:edit" } as const;
    const needs = needed[scope];
    if (needs !== null && !membership.may.has(needs)) throw missingPermission(needs);
    const board = await boardOf(tx.query, workspace.id, viewer, input);
    const stored = storedIn(input);
    await checkStored(tx.query, workspace.id, viewer, stored);
    const ownerId = scope === "private" ? membership.id : null;
    await checkViewLimit(tx, { workspaceId: workspace.id, ownerId });
    const row = {
      publicId: newId,
      workspaceId: workspace.id,
      boardId: board?.id ?? null,
      ownerId,
      name: input.name,
      ...stored,
      layout: input.layout,
      createdById: caller.userId,
      createdAt: tx.now,
      updatedAt: tx.now,
      version: 1,
    };
    const view = firstRow(await insertRows<Row>(tx.query, "views", [row], sql`RETURNING *`));
    tx.version = view.version;
    emitView({ tx, caller, workspace, board }, "created", view);
    return readView(tx.query, workspace, viewer, view.id);
  });

/** 409 when the workspace, or the owner of a private view, has no room for one more. */
export async function checkViewLimit(
  tx: UnitOfWork,
  { workspaceId, ownerId }: Pick<Row, "workspaceId" | "ownerId">,
): Promise<void> {
  if (ownerId === null) return checkLimit(tx, "views", workspaceId);
  const [own] = await tx.query<{ count: number }>(sql`SELECT count(*)::int AS count FROM views
    WHERE "ownerId" = ${ownerId} AND "deletedAt" IS NULL`);
  checkCount(tx.limits, "private_views", (own?.count ?? 0) + 1);
}

/** What an input says of the cards. */
const storedIn = ({ boards, filter, sortBy, groupBy }: Input): ViewContent => ({
  boards: boards ?? [],
  filter: filter ?? null,
  sortBy: sortBy ?? [],
  groupBy: groupBy ? groupingText(groupBy) : null,
});

/** The board of a new view; 400 unless the scope fits it. */
async function boardOf(
  query: Query,
  workspaceId: bigint,
  viewer: Viewer,
  { scope, boardPublicId, boards }: Input,
) {
  const [board] =
    boardPublicId === undefined
      ? []
      : await query<{ id: bigint; publicId: string; name: string }>(sql`
          SELECT b.id, b."publicId", b.name FROM boards b WHERE b."publicId" = ${boardPublicId}
            AND b."workspaceId" = ${workspaceId} AND b."deletedAt" IS NULL
            AND ${isVisible(viewer)}`);
  if (boardPublicId !== undefined && board === undefined) throw notFound("board");
  if (scope !== "board" && board !== undefined) {
    const message = "Only a view with scope `board` is of a board. Name others in `boards`.";
    throw badRequest("custom", message, ["boardPublicId"]);
  }
  if (scope === "board" && board === undefined)
    throw badRequest("custom", "A view with scope `board` needs its board.", ["boardPublicId"]);
  checkBoards(boards, scope === "board");
  return board ?? null;
}

/** 400 for `boards` of a view that is of one board. */
export function checkBoards(boards: string[] | null | undefined, isOfBoard: boolean): void {
  if (!isOfBoard || boards === null || boards === undefined) return;
  const message = "A view with scope `board` shows the cards of its board.";
  throw badRequest("custom", message, ["boards"]);
}
