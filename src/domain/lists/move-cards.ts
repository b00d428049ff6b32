import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { findAccessibleList, type AccessibleList } from "../../kernel/access/accessible-list.ts";
import { checkAssigneesSee } from "../cards/assignees.ts";
import { moveParts } from "../parts/move.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import { conflict } from "../../platform/errors.ts";
import { viewedWith } from "../../contract/vocabulary/view-permissions.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { lockCardsAndLists, moveToList, readCardsOf } from "./lock-cards.ts";
import { sql } from "../../platform/db/sql.ts";

const Target = z.strictObject({
  targetListPublicId: inputId("targetList", "Public id of the list that gets the cards."),
});
const Moved = viewedWith(
  "card:view",
  z
    .object({ moved: z.int().meta({ description: "How many cards were moved.", examples: [3] }) })
    .meta({ id: "MovedCards", description: "The result of moving all cards of a list." }),
);

const count = (id: bigint) =>
  sql`SELECT count(*)::int AS count FROM cards
  WHERE "listId" = ${id} AND "deletedAt" IS NULL AND "archivedAt" IS NULL`;

/** Moves the cards of a list that are not archived to the end of another list. */
export const moveCards = mutation("list.moveCards", Target, {
  async beforeLock(ctx, { targetListPublicId }) {
    if (targetListPublicId === ctx.list.publicId) throw sameList();
    const target = await findAccessibleList(ctx.tx.query, targetListPublicId, ctx);
    await lockCardsAndLists(ctx.tx, ctx.list.id, target.id);
    return target;
  },
})
  .meta(
    rest("Lists").post(
      "/lists/{listPublicId}/move-cards",
      "Move cards to another list",
      "Moves all cards of a list that are not archived to the end of `targetListPublicId`, in " +
        "order. The target may be on another board of the workspace; labels are then mapped to " +
        "its labels of the same name and colour. Returns 409 if an assigned member cannot see " +
        "that board.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Moved)
  .mutation(async ({ ctx }) => {
    const { list, board, workspace, tx, before: target } = ctx;
    const cards = await readCardsOf(tx, list.id);
    if (cards.length === 0) return { moved: 0 };
    const toOtherBoard = target.board.id !== board.id;
    const ids = cards.map(({ id }) => id);
    if (toOtherBoard) {
      await checkCardLimit(tx, workspace, target.board.id, cards.length);
      await checkAssigneesSee(tx.query, target.board.id, ids);
    }
    const [counted] = await tx.query<{ count: number }>(count(target.id));
    await moveToList(tx, cards, { id: target.id, boardId: target.board.id });
    const from = { listPublicId: list.publicId, boardPublicId: board.publicId };
    const movedParts = toOtherBoard
      ? await moveParts({ ...ctx, tx }, ids, target.board)
      : undefined;
    const shownCards = cards.map((card) => ({ ...card, movedParts: movedParts?.get(card.id) }));
    await emitMoves(tx, shownCards, from, target, counted?.count ?? 0);
    tx.version = list.version;
    return { moved: cards.length };
  });

const sameList = () =>
  conflict("same_list", "The source and target lists are the same.", ["targetListPublicId"]);

/** Emits one event per card; `firstIndex` is the index of the first card in the target list. */
async function emitMoves(
  tx: UnitOfWork<"card.moved">,
  cards: { publicId: string; movedParts: object | undefined }[],
  from: { listPublicId: string; boardPublicId: string },
  list: AccessibleList,
  firstIndex: number,
) {
  const { board } = list;
  const target = { listPublicId: list.publicId, boardPublicId: board.publicId };
  for (const [nth, { movedParts, ...card }] of cards.entries()) {
    // Other calls run meanwhile.
    if (nth % 500 === 499) await setImmediate();
    // The cards leave one by one: each was the first of those that are left.
    const spots = { from: { ...from, index: 0 }, to: { ...target, index: firstIndex + nth } };
    tx.emit("card.moved", { card, list, board, ...spots, ...movedParts });
  }
}
