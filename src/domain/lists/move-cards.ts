import { z } from "zod";
import { manualMutation } from "../../kernel/procedures/manual-mutation.ts";
import { findAccessibleList } from "../../kernel/access/accessible-list.ts";
import { remapLabels } from "../cards/remap-labels.ts";
import { viewCard } from "../views/cards.ts";
import { appendPositions } from "../../kernel/positions.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import { conflict } from "../../platform/errors.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { lockListWithCards, placeCards } from "./bulk.ts";
import { sql } from "../../platform/db/sql.ts";

const Target = z.strictObject({ targetListPublicId: PublicId });
const Moved = z.object({ moved: z.int() }).meta({ id: "MovedCards" });

const count = (id: bigint) =>
  sql`SELECT count(*) AS count FROM cards WHERE "listId" = ${id} AND "deletedAt" IS NULL
    AND "archivedAt" IS NULL`;

/** Moves all cards of a list that are not archived to the end of another one, in their order. */
export const moveCards = manualMutation("list.moveCards", Target)
  .meta(
    rest("Lists").post(
      "/lists/{listPublicId}/move-cards",
      "Move all cards to another list",
      "All cards that are not archived go to the end of `targetListPublicId`, in their order, which may be on another board of the workspace.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Moved)
  // Not `mayWrite`, which locks the list first: its cards have to be locked before it.
  .mutation(({ ctx, input: { targetListPublicId } }) =>
    ctx.transact(async (tx) => {
      const { list, board, workspace } = ctx;
      if (targetListPublicId === list.publicId)
        throw conflict("The cards are in this list already.");
      const target = await findAccessibleList(tx.query, targetListPublicId, ctx);
      const cards = await lockListWithCards(ctx, tx, [target.id]);
      if (cards.length === 0) return { moved: 0 };
      if (target.board.id !== board.id) {
        await checkCardLimit(tx, workspace, target.board.id, cards.length);
      }
      const keys = await appendPositions(tx.query, "card", target.id, cards.length);
      const [before] = await tx.query<{ count: bigint }>(count(target.id));
      await placeCards(tx, cards, keys, { id: target.id, boardId: target.board.id });
      const from = { listPublicId: list.publicId, boardPublicId: board.publicId };
      for (const [nth, card] of cards.entries()) {
        const moved = { ...card, version: card.version + 1, updatedAt: tx.now };
        tx.emit("card.moved", {
          card: viewCard(moved, workspace.cardPrefix),
          list: target,
          board: target.board,
          from,
          to: {
            listPublicId: target.publicId,
            boardPublicId: target.board.publicId,
            index: Number(before?.count ?? 0) + nth,
          },
        });
      }
      if (target.board.id !== board.id) {
        await remapLabels(
          { ...ctx, tx },
          cards.map(({ id }) => id),
          target.board,
        );
      }
      tx.version = list.version;
      return { moved: cards.length };
    }),
  );
