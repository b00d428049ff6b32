import { z } from "zod";
import { View, ViewChanges } from "../../contract/resources/views.ts";
import { viewerOf } from "../../kernel/access/visibility.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { View as Row } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { missingPermission } from "../../platform/errors.ts";
import { checkStored } from "./check.ts";
import { checkBoards } from "./create.ts";
import { emitView, readBoardOf } from "./emit.ts";
import { readView, storedOf, viewInfo } from "./shown.ts";

/** Changes the given parts of a view. */
export const updateView = mutation("view.update", z.strictObject(ViewChanges))
  .meta(
    rest("Views").put(
      "/views/{viewPublicId}",
      "Update a view",
      "Changes the given parts of a view; `filter: null` shows all cards again. The scope and the " +
        "board never change. The view of a workspace requires `workspace:edit`, unless the caller " +
        "created it. Parts that are broken can be saved again.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(View)
  .mutation(async ({ ctx: { view, workspace, caller, membership, tx }, input }) => {
    checkChange(view, { caller, membership });
    checkBoards(input.boards, view.boardId !== null);
    const viewer = viewerOf({ membership, caller });
    const { boards, filter, sortBy, groupBy, name, layout } = input;
    const before = storedOf(view);
    const given = present({
      name,
      layout,
      filter,
      boards: boards === null ? [] : boards,
      sortBy: sortBy === null ? [] : sortBy,
      groupBy: groupBy === null ? null : groupBy?.field,
    });
    const row = { ...view, ...given } as Row;
    await checkStored(tx.query, workspace.id, viewer, storedOf(row), before);
    const board = await readBoardOf(tx, view);
    const id = board?.publicId ?? null;
    const changes = changesBetween(viewInfo(view, id), viewInfo(row, id));
    if (Object.keys(changes).length === 0) return readView(tx.query, workspace, viewer, view.id);
    const { boards: ids, filter: tree, sortBy: keys, groupBy: group } = storedOf(row);
    const [after] = await tx.query<Row>(sql`UPDATE views SET name = ${row.name},
        layout = ${row.layout}::"ViewLayout", boards = ${ids}::text[],
        filter = ${tree === null ? null : JSON.stringify(tree)}::json,
        "sortBy" = ${JSON.stringify(keys)}::json, "groupBy" = ${group}::text,
        version = version + 1, "updatedAt" = ${tx.now}::timestamptz
      WHERE id = ${view.id} RETURNING *`);
    if (after === undefined) throw new Error("A locked view was not updated.");
    emitView(tx, "updated", { view: after, board, workspace, caller }, changes);
    return readView(tx.query, workspace, viewer, view.id);
  });

type Author = Parameters<typeof viewerOf>[0] & { caller: { userId: bigint } };

/** 403 for a view of the workspace whose creator is another, without workspace:edit. */
export function checkChange(view: Row, { caller, membership }: Author): void {
  const isOfWorkspace = view.boardId === null && view.ownerId === null;
  if (!isOfWorkspace || view.createdById === caller.userId) return;
  if (!membership.may.has("workspace:edit")) throw missingPermission("workspace:edit");
}
