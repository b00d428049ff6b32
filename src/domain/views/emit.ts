import type { Caller } from "../../kernel/access/callers.ts";
import type { Changes } from "../../kernel/events/pending-event.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { View } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { showView } from "../presenters/views.ts";

/** The board of a view, as its events show it. */
export type BoardOfView = { publicId: string; name: string } | null;

/** Reads the board that a view is of. */
export async function readBoardOf(
  { query }: Pick<UnitOfWork, "query">,
  { boardId }: View,
): Promise<BoardOfView> {
  if (boardId === null) return null;
  const [board] = await query<{ publicId: string; name: string }>(
    sql`SELECT "publicId", name FROM boards WHERE id = ${boardId}`,
  );
  return board ?? null;
}

type ViewChange = {
  tx: UnitOfWork;
  caller: Pick<Caller, "userId">;
  workspace: { publicId: string };
  /** The board that the view is of. */
  board: BoardOfView;
};

/** Says what happened to a view: of a private one only to its owner, who is the caller. */
export function emitView(
  { tx, caller, workspace: { publicId: workspacePublicId }, board }: ViewChange,
  change: "created" | "updated" | "deleted" | "restored",
  row: View,
  changes?: Changes,
): void {
  const view = showView(row, board?.publicId ?? null);
  if (row.ownerId === null) tx.emit(`view.${change}`, { view, ...(board && { board }) }, changes);
  else
    tx.emitTo(caller.userId, { type: `private_view.${change}`, data: { workspacePublicId, view } });
}
