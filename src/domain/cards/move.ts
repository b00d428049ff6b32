import { findAccessibleList, lockLists } from "../../kernel/access/accessible-list.ts";
import type { AccessibleList } from "../../kernel/access/accessible-list.ts";
import type { HandlerContext } from "../../kernel/invocation/types.ts";
import { moveRow } from "../../kernel/positions.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { notFound, missingPermission } from "../../platform/errors.ts";
import { placementOf } from "../placement.ts";
import { checkAssigneesSee } from "./assignees.ts";

type Context = HandlerContext<"card.update"> & {
  tx: UnitOfWork<"label.created" | "card.moved">;
};
type Input = Parameters<typeof placementOf>[0] & {
  listPublicId?: string | undefined;
  isArchived?: boolean | undefined;
};
type Location = { listPublicId: string; boardPublicId: string };

/** A card that was moved, with its new parents and the data of its event. */
type CardMove = {
  card: Context["card"];
  list: AccessibleList;
  board: AccessibleList["board"];
  locations: { from: Location & { index: number | null }; to: Location & { index: number } };
};

/**
 * Moves a card as an input asks, and writes the columns of `set` with it; null without a move.
 *
 * It locks the lists whose cards change or are counted, also for a card that is archived.
 */
export async function moveCard(ctx: Context, input: Input, set: Sql): Promise<CardMove | null> {
  const { card, tx } = ctx;
  const { listPublicId = ctx.list.publicId, isArchived } = input;
  const placement = placementOf(input);
  const toOtherList = listPublicId !== ctx.list.publicId;
  const isMove = placement !== undefined || toOtherList;
  if (!isMove && isArchived === undefined) return null;
  const lists = await lockLists(
    tx,
    sql`(l.id = ${card.listId} OR l."publicId" = ${listPublicId})
      AND l."workspaceId" = ${ctx.workspace.id}`,
  );
  if (!isMove) return null;
  const list = lists.find(({ publicId }) => publicId === listPublicId);
  if (list === undefined) throw notFound("list");
  if (list.board.id !== ctx.board.id) await checkBoard(ctx, list);
  const moved = await moveRow(
    tx,
    "card",
    card,
    list.id,
    placement ?? {},
    sql`, "listId" = ${list.id}, "boardId" = ${list.board.id}, ${set}`,
  );
  if (moved === null) return null;
  const from = { listPublicId: ctx.list.publicId, boardPublicId: ctx.board.publicId };
  const to = { listPublicId: list.publicId, boardPublicId: list.board.publicId };
  const index = card.archivedAt === null ? moved.from : null;
  return {
    card: moved.row,
    list,
    board: list.board,
    locations: { from: { ...from, index }, to: { ...to, index: moved.to } },
  };
}

/** Checks a move to another board, which the caller must see and may fill. */
async function checkBoard(ctx: Context, { publicId, board }: AccessibleList): Promise<void> {
  const { card, membership, tx, workspace } = ctx;
  await findAccessibleList(tx.query, publicId, ctx);
  // A creator without card:edit changes the card where it is.
  if (!membership.may.has("card:edit")) throw missingPermission("card:edit");
  await checkCardLimit(tx, workspace, board.id);
  await checkAssigneesSee(tx.query, board.id, [card.id]);
}
