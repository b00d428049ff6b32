import type { Caller } from "../../kernel/access/callers.ts";
import type { Changes } from "../../kernel/events/pending-event.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { View } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { viewInfo } from "./shown.ts";

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

type Verb = "created" | "updated" | "deleted";
type Tx<Only extends Verb> = UnitOfWork<`view.${Only}` | `private_view.${Only}`>;
type Change = {
  view: View;
  board: BoardOfView;
  workspace: { publicId: string };
  caller: Pick<Caller, "userId">;
};

/** Publishes what happened to a view; of a private one only to its owner. */
export function emitView<Only extends Verb>(
  tx: Tx<Only>,
  verb: Only,
  { view, board, workspace, caller }: Change,
  changes?: Changes,
): void {
  const info = viewInfo(view, board?.publicId ?? null);
  tx.version = view.version;
  const type: Verb = verb;
  const any = tx as unknown as UnitOfWork;
  if (view.ownerId === null) {
    any.emit(`view.${type}`, { view: info, ...(board && { board }) }, changes);
  } else {
    const data = { workspacePublicId: workspace.publicId, view: info };
    any.emitTo(caller.userId, { type: `private_view.${type}`, data });
  }
}
