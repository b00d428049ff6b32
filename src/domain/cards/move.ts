import type { Caller } from "../../kernel/access/callers.ts";
import type { Membership } from "../../kernel/access/authorize.ts";
import {
  findAccessibleList,
  lockListsOf,
  type AccessibleList,
} from "../../kernel/access/accessible-list.ts";
import type { TargetResources } from "../../kernel/access/resources.ts";
import { gapFor, type Gap } from "../../kernel/gaps.ts";
import { positionAt } from "../../kernel/positions.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { notFound, missingPermission } from "../../platform/errors.ts";
import { placementOf } from "../positions/placement.ts";
import { checkAssigneesSee } from "../../kernel/access/assignees.ts";
import { remapLabels } from "./remap-labels.ts";

type Context = TargetResources<"card"> & {
  caller: Caller;
  membership: Membership;
  tx: UnitOfWork<"label.created" | "card.moved">;
};
type Placement = Parameters<typeof placementOf>[0] & { listPublicId?: string | undefined };
type Location = { listPublicId: string; boardPublicId: string };

/** The list of a move, locked, and the gap for the card in it. */
export type MoveTarget = { list: AccessibleList | undefined; gap: Promise<Gap> };

/** A planned move of a card: the columns to write, and the data of its event. */
type CardMove = {
  columns: { listId: bigint; boardId: bigint; position: string };
  list: Pick<AccessibleList, "publicId" | "name">;
  board: AccessibleList["board"];
  locations: { from: Location & { index: number | null }; to: Location & { index: number } };
  /** On another board: replaces the card's labels by those of that board. */
  remapLabels: (() => Promise<void>) | undefined;
};

/**
 * Reads the gap of the move that an input asks for; null without a move.
 *
 * Locks the lists whose live cards change: the one that the card is in, and the one that it moves
 * to. So no other transaction counts these cards before the change is committed.
 */
export async function readMoveTarget(
  query: Query,
  input: Placement & { cardPublicId: string; isArchived?: boolean | undefined },
): Promise<MoveTarget | null> {
  const { cardPublicId, listPublicId, isArchived } = input;
  const placement = placementOf(input);
  const isMove = placement !== undefined || listPublicId !== undefined;
  if (!isMove && isArchived === undefined) return null;
  const ofCard = (column: string) =>
    sql`(SELECT ${sql.identifier(column)} FROM cards WHERE "publicId" = ${cardPublicId})`;
  const from = ofCard("listId");
  const to =
    listPublicId === undefined
      ? from
      : sql`(SELECT id FROM lists WHERE "publicId" = ${listPublicId})`;
  const locking = lockListsOf(query, to === from ? [from] : [from, to], ofCard("workspaceId"));
  locking.catch(() => undefined);
  const gap = isMove ? gapFor(query, "card", to, placement ?? {}, ofCard("id")) : null;
  gap?.catch(() => undefined);
  const lists = await locking;
  const named = lists.find(({ publicId }) => publicId === listPublicId);
  return gap === null ? null : { list: listPublicId === undefined ? lists[0] : named, gap };
}

/** Plans the move that an input asks for; `from` is the card's index. Null without a move. */
export async function planMove(
  ctx: Context,
  input: Placement,
  target: MoveTarget | null,
  from: number,
): Promise<CardMove | null> {
  const { card, tx } = ctx;
  const placement = placementOf(input);
  const { listPublicId = ctx.list.publicId } = input;
  const toOtherList = listPublicId !== ctx.list.publicId;
  if (target === null || (placement === undefined && !toOtherList)) return null;
  const { list } = target;
  if (list === undefined) throw notFound("list");
  const { board } = list;
  const toOtherBoard = board.id !== ctx.board.id;
  if (toOtherBoard) {
    await findAccessibleList(tx.query, listPublicId, ctx);
    // A creator without card:edit changes the card where it is.
    if (!ctx.membership.may.has("card:edit")) throw missingPermission("card:edit");
    await checkCardLimit(tx, ctx.workspace, board.id);
    await checkAssigneesSee(tx.query, board.id, [card.id]);
  }
  const gap = await target.gap;
  const moving = toOtherList ? null : card;
  const position = await positionAt(tx.query, "card", list.id, placement ?? {}, moving, gap);
  if (!toOtherList && position === card.position) return null;
  return {
    columns: { listId: list.id, boardId: board.id, position },
    list,
    board,
    locations: {
      from: {
        listPublicId: ctx.list.publicId,
        boardPublicId: ctx.board.publicId,
        index: card.archivedAt === null ? from : null,
      },
      to: {
        listPublicId: list.publicId,
        boardPublicId: board.publicId,
        index: Number(gap.index),
      },
    },
    remapLabels: toOtherBoard ? () => remapLabels(ctx, [card.id], board) : undefined,
  };
}
