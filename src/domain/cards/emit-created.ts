import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Board, Card, List, Workspace } from "../../platform/db/rows.ts";
import { newSummary } from "./assemble.ts";

type Context = {
  tx: UnitOfWork<"card.created">;
  list: List;
  board: Pick<Board, "id" | "publicId" | "name">;
  workspace: Pick<Workspace, "cardPrefix">;
};

/** Emits that a card was created. With nothing on it, its insert has returned what it shows. */
export function emitCreated(
  { tx, list, board, workspace }: Context,
  card: Card & { index: number },
  hasRelations: boolean,
): void {
  if (hasRelations) return tx.emit("card.created", { card, list, board });
  const { description, index } = card;
  const to = { listPublicId: list.publicId, boardPublicId: board.publicId, index };
  const shown = { ...newSummary(card, { list, workspace }), description };
  return tx.emitNew("card.created", { card: shown, list, board, to }, list);
}
