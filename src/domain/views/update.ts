import { z } from "zod";
import { groupingText, View, ViewChanges } from "../../contract/resources/views.ts";
import { viewerOf } from "../../kernel/access/visibility.ts";
import { changesBetween } from "../../kernel/events/changes.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { View as Row } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { missingPermission } from "../../platform/errors.ts";
import { contentOf, showView } from "../presenters/views.ts";
import { checkStored } from "./check.ts";
import { checkBoards } from "./create.ts";
import { emitView, readBoardOf } from "./emit.ts";
import { readView } from "./read.ts";
import { firstRow } from "../../platform/db/query.ts";

/** Changes the given parts of a view. */
export const updateView = mutation("view.update", z.strictObject(ViewChanges))
  .meta(
    rest("Views").put(
      "/views/{viewPublicId}",
      "Update a view",
      "Changes the given parts of a view; `filter: null` shows all cards again. The scope and the " +
        "board never change. A view with scope `workspace` requires `workspace:edit`, unless the " +
        "caller created it. Broken parts can be saved again. Returns 404 for a private view of " +
        "another member.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(View)
  .mutation(async ({ ctx: { view, workspace, caller, membership, tx }, input }) => {
    checkChange(view, { caller, membership });
    checkBoards(input.boards, view.boardId !== null);
    const viewer = viewerOf({ membership, caller });
    const { boards, filter, sortBy, groupBy } = input;
    const before = contentOf(view);
    const stored = {
      boards: boards === undefined ? before.boards : (boards ?? []),
      filter: filter === undefined ? before.filter : filter,
      sortBy: sortBy === undefined ? before.sortBy : (sortBy ?? []),
      groupBy: groupBy === undefined ? before.groupBy : groupBy && groupingText(groupBy),
    };
    const { name = view.name, layout = view.layout } = input;
    await checkStored(tx.query, workspace.id, viewer, stored, before);
    const board = await readBoardOf(tx, view);
    const id = board?.publicId ?? null;
    const shownAfter = showView({ ...view, name, layout }, id, stored);
    const changes = changesBetween(showView(view, id), shownAfter);
    if (Object.keys(changes).length === 0) return readView(tx.query, workspace, viewer, view.id);
    const rows = await tx.query<Row>(sql`UPDATE views SET name = ${name},
        layout = ${layout}::"ViewLayout", boards = ${stored.boards}::text[],
        filter = ${stored.filter === null ? null : JSON.stringify(stored.filter)}::json,
        "sortBy" = ${JSON.stringify(stored.sortBy)}::json, "groupBy" = ${stored.groupBy}::text,
        version = version + 1, "updatedAt" = ${tx.now}::timestamptz
      WHERE id = ${view.id} RETURNING *`);
    const after = firstRow(rows);
    tx.version = after.version;
    emitView({ tx, caller, workspace, board }, "updated", after, changes);
    return readView(tx.query, workspace, viewer, view.id);
  });

type Author = Parameters<typeof viewerOf>[0] & { caller: { userId: bigint } };

/** 403 for a view of the workspace whose creator is another, without workspace:edit. */
export function checkChange(view: Row, { caller, membership }: Author): void {
  const isOfWorkspace = view.boardId === null && view.ownerId === null;
  if (!isOfWorkspace || view.createdById === caller.userId) return;
  if (!membership.may.has("workspace:edit")) throw missingPermission("workspace:edit");
}
