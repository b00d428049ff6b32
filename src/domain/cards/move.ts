import type { Caller } from "../../kernel/access/callers.ts";
import type { Membership } from "../../kernel/access/authorize.ts";
import { findAccessibleList, type AccessibleList } from "../../kernel/access/accessible-list.ts";
import type { TargetResources } from "../../kernel/access/resources.ts";
import { positionAt } from "../../kernel/positions.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound, missingPermission } from "../../platform/errors.ts";
import { indexOf } from "../positions/move.ts";
import { placementOf } from "../positions/placement.ts";
import { checkAssigneesSee } from "../../kernel/access/assignees.ts";
import { remapLabels } from "./remap-labels.ts";

type Context = TargetResources<"card"> & {
  caller: Caller;
  membership: Membership;
  tx: UnitOfWork<"label.created" | "card.moved">;
};
type Placement = Parameters<typeof placementOf>[0] & { listPublicId?: string | undefined };
type Spot = { listPublicId: string; boardPublicId: string };

/** A planned move of a card: the columns to write, and the data of its event. */
type CardMove = {
  columns: { listId: bigint; boardId: bigint; position: string };
  list: Pick<AccessibleList, "publicId" | "name">;
  board: AccessibleList["board"];
  spots: { from: Spot & { index: number | null }; to: Spot & { index: number } };
  /** On another board: replaces the card's labels by those of that board. */
  remapLabels(): Promise<void>;
};

/** Plans the move that an input asks for, with the target list locked; null without a move. */
export async function planMove(ctx: Context, input: Placement): Promise<CardMove | null> {
  const { card, tx } = ctx;
  const placement = placementOf(input);
  const { listPublicId = ctx.list.publicId } = input;
  const toOtherList = listPublicId !== ctx.list.publicId;
  if (placement === undefined && !toOtherList) return null;
  const list = toOtherList
    ? await findAccessibleList(tx.query, listPublicId, ctx)
    : { ...ctx.list, board: ctx.board };
  const { board } = list;
  if ((await tx.lock("lists", [list.id])).length === 0) throw notFound("list");
  const toOtherBoard = board.id !== ctx.board.id;
  if (toOtherBoard) {
    // A creator without card:edit changes the card where it is.
    if (!ctx.membership.may.has("card:edit")) throw missingPermission("card:edit");
    await checkCardLimit(tx, ctx.workspace, board.id);
    await checkAssigneesSee(tx.query, board.id, [card.id]);
  }
  // Counted first: `positionAt` may change the positions of all siblings.
  const from = card.archivedAt === null ? await indexOf(tx.query, "card", ctx.list.id, card) : null;
  const moving = toOtherList ? null : card;
  const position = await positionAt(tx.query, "card", list.id, placement ?? {}, moving);
  if (!toOtherList && position === card.position) return null;
  const index = await indexOf(tx.query, "card", list.id, { id: card.id, position });
  return {
    columns: { listId: list.id, boardId: board.id, position },
    list,
    board,
    spots: {
      from: { listPublicId: ctx.list.publicId, boardPublicId: ctx.board.publicId, index: from },
      to: { listPublicId: list.publicId, boardPublicId: board.publicId, index },
    },
    remapLabels: () => (toOtherBoard ? remapLabels(ctx, [card.id], board) : Promise.resolve()),
  };
}
