import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { View } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { showView } from "../shown/views.ts";

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

/** The data of the events of a view: of a private one, those that only its owner gets. */
export function dataOf(view: View, board: BoardOfView, { publicId }: { publicId: string }) {
  const info = showView(view, board?.publicId ?? null);
  const shared = { view: info, ...(board && { board }) };
  return view.ownerId === null
    ? { shared, own: null }
    : { shared: null, own: { workspacePublicId: publicId, view: info } };
}
