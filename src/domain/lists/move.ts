import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { ListWithCount } from "../../contract/resources/lists.ts";
import { authorize } from "../../kernel/access/authorize.ts";
import { handlerContext } from "../../kernel/invocation/authorize-call.ts";
import type { HandlerContext } from "../../kernel/invocation/types.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { checkCardLimit, checkLimit } from "../../kernel/limits.ts";
import { moveRow } from "../../kernel/positions.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import type { Context } from "../../kernel/request/context.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { updateRow } from "../../platform/db/write.ts";
import { missingPermission, notFound } from "../../platform/errors.ts";
import { checkAssigneesSee, unassignWithoutAccess } from "../cards/assignees.ts";
import { lockCards } from "../cards/lock-cards.ts";
import { versionsOf } from "../divide-changes.ts";
import { moveParts } from "../parts/move.ts";
import type { MovedParts } from "../parts/part.ts";
import { listPlacement, placementOf, singlePlacement } from "../placement.ts";
import { showList } from "../presenters/lists.ts";
import { listDetail } from "./detail.ts";
import { readAllCardsOf, type AnyCard } from "./lock-cards.ts";

const Move = z
  .strictObject({
    boardPublicId: inputId("board", "Public id of the board that the list moves to."),
    ...listPlacement,
  })
  .refine(...singlePlacement("List"));

/** Moves a list with its cards to another board of the workspace. */
export const moveList = mutation("list.move", Move, {
  beforeLock: async (ctx, { boardPublicId }) =>
    boardPublicId === ctx.board.publicId ? null : lockBoth(ctx, boardPublicId),
})
  .meta(
    rest("Lists").post(
      "/lists/{listPublicId}/move",
      "Move a list to another board",
      "Moves a list to another board of the workspace with all its cards, archived and deleted " +
        "ones too. It goes to the end, or to the place that `index`, `beforeListPublicId` or " +
        "`afterListPublicId` names. It also requires `card:edit`, and `list:create` on that " +
        "board. Labels are mapped to its labels of the same name and colour, and values of custom " +
        "fields to its fields of the same name and type. Returns 409 if that board is full, or if " +
        "an assigned member cannot see it.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(ListWithCount)
  .mutation(async ({ ctx, input }) => {
    const { list, board, tx, before } = ctx;
    const target = before ?? board;
    const isElsewhere = target.id !== board.id;
    const cards = isElsewhere ? await cardsToMove(ctx, target) : [];
    const placement = placementOf(input) ?? {};
    // Between the writes of the list and of its cards, they are on two boards.
    if (isElsewhere) await tx.query(sql`SET CONSTRAINTS ${ofCards} DEFERRED`);
    const toBoard = sql`, "boardId" = ${target.id}`;
    const move = await moveRow(tx, "list", list, target.id, placement, toBoard);
    if (move === null) return listDetail(tx.query, list, board);
    const count = isElsewhere ? 2 : 1;
    const after = updateRow(tx, "lists", list, { updatedAt: tx.now }, count);
    const next = versionsOf(showList(after), count);
    if (!isElsewhere) {
      const spots = { from: { index: move.from }, to: { index: move.to } };
      tx.emit("list.moved", { list: next(), board, ...spots });
      return listDetail(tx.query, after, board);
    }
    const spots = {
      from: { boardPublicId: board.publicId, index: move.from },
      to: { boardPublicId: target.publicId, index: move.to },
    };
    for (const each of [board, target])
      tx.emit("list.moved", { list: next(), board: each, ...spots });
    await moveCards(ctx, cards, target);
    return listDetail(tx.query, after, target);
  });

const ofCards = sql.identifier("cards_listId_boardId_workspaceId_fkey");

type Board = { id: bigint; publicId: string; name: string };
type Source = HandlerContext<"list.move">;
type Moving = Parameters<typeof moveParts>[0] & {
  list: Pick<Source["list"], "id" | "publicId" | "name" | "archivedAt">;
  board: Board;
  workspace: Pick<Source["workspace"], "id" | "lastCardNumber">;
  membership: { may: ReadonlySet<string> };
  tx: UnitOfWork<"list.moved" | "card.moved" | "label.created">;
};

/** Locks the cards of a list, the list and both boards; answers the board that gets the list. */
async function lockBoth(
  ctx: Context & { tx: UnitOfWork } & Pick<Moving, "list" | "board" | "workspace">,
  boardPublicId: string,
): Promise<Board> {
  const { list, board, workspace, tx } = ctx;
  const [other] = await tx.query<{ id: bigint }>(sql`SELECT id FROM boards
    WHERE "publicId" = ${boardPublicId} AND "workspaceId" = ${workspace.id}`);
  if (other === undefined) throw notFound("board");
  await tx.allowLongStatements();
  await lockCards(tx.query, sql`"listId" = ${list.id}`);
  if ((await tx.lock("lists", [list.id])).length === 0) throw notFound("list");
  if ((await tx.lock("boards", [board.id, other.id])).length < 2) throw notFound("board");
  const create = { name: "list.create", input: { boardPublicId } } as const;
  const authorized = await authorize(tx.query, ctx, { ...create, writes: true, lock: false });
  return handlerContext<"list.create", object>(authorized, {}).board;
}

/** Reads all cards of a list, if they may move to a board. */
async function cardsToMove(ctx: Moving, target: Board): Promise<AnyCard[]> {
  const { list, membership, tx, workspace } = ctx;
  if (!membership.may.has("card:edit")) throw missingPermission("card:edit");
  await checkLimit(tx, list.archivedAt === null ? "lists" : "archived_lists", target.id);
  const cards = await readAllCardsOf(tx, list.id);
  const live = cards.filter(({ deletedAt }) => deletedAt === null);
  await checkCardLimit(tx, workspace, target.id, live.length);
  await checkAssigneesSee(
    tx.query,
    target.id,
    live.map(({ id }) => id),
  );
  return cards;
}

/** Moves the cards of a list that has moved to a board, with what is on them. */
async function moveCards(ctx: Moving, cards: AnyCard[], target: Board): Promise<void> {
  const { board, list, tx } = ctx;
  if (cards.length === 0) return;
  const ids = cards.map(({ id }) => id);
  await tx.query(sql`UPDATE cards SET "boardId" = ${target.id}, version = version + 1,
    "updatedAt" = ${tx.now}::timestamptz WHERE id = ANY(${ids}::bigint[])`);
  await tx.query(sql`SET CONSTRAINTS ${ofCards} IMMEDIATE`);
  const parts = await moveParts(ctx, ids, target);
  // Who is assigned to a card in the trash may not see the board: nobody can unassign them there.
  if (cards.some(({ deletedAt }) => deletedAt !== null))
    await unassignWithoutAccess(tx.query, target.id);
  const live = cards.filter(({ deletedAt }) => deletedAt === null);
  await emitMoves({ tx, list, board, target }, live, parts);
}

type Boards = Pick<Moving, "tx" | "list" | "board"> & { target: Board };

/** Emits one event per card: on its list it stays where it was. */
async function emitMoves(
  { tx, list, board, target }: Boards,
  cards: AnyCard[],
  parts: MovedParts,
): Promise<void> {
  let index = 0;
  for (const [nth, { id, publicId, archivedAt }] of cards.entries()) {
    // Other calls run meanwhile.
    if (nth % 500 === 499) await setImmediate();
    const isArchived = archivedAt !== null;
    const spot = { listPublicId: list.publicId, index };
    tx.emit("card.moved", {
      card: { publicId },
      list,
      board: target,
      from: { ...spot, boardPublicId: board.publicId, index: isArchived ? null : index },
      to: { ...spot, boardPublicId: target.publicId },
      ...parts.get(id),
    });
    if (!isArchived) index++;
  }
}
