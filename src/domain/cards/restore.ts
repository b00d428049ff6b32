import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { positionAt } from "../../kernel/positions.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import { conflict } from "../../platform/errors.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { updateRow } from "../../platform/db/write.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Card } from "../../contract/resources/cards.ts";
import { cardWithId, noteState, readEventFields } from "./event-fields.ts";
import { cardDetail } from "./detail.ts";

/** Reads, behind the lock of the card, its list, which it locks, and what its state shows. */
const readEarly = async (query: Query, { cardPublicId }: { cardPublicId: string }) => {
  const isCard = cardWithId(cardPublicId);
  const [[list], taken, eventFields] = await Promise.all([
    query<{ workspaceId: bigint }>(sql`SELECT l."workspaceId" FROM lists l
      WHERE l.id = (SELECT c."listId" FROM cards c WHERE ${isCard}) AND l."deletedAt" IS NULL
      FOR NO KEY UPDATE`),
    query(sql`SELECT 1 FROM cards c JOIN cards o ON o."listId" = c."listId"
      AND o.position = c.position AND o."deletedAt" IS NULL WHERE ${isCard}`),
    readEventFields(query, isCard),
  ]);
  return { list, isTaken: taken.length > 0, eventFields };
};

/** Restores a card from the trash. */
export const restoreCard = mutation("card.restore", z.strictObject({}), readEarly)
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/restore",
      "Restore a deleted card",
      "Restores a card to its old position, or to the end of its list when that position is " +
        "taken. A card that is not deleted does not change. 409 when its list is deleted.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx }) => {
    const { card, list, board, workspace, tx } = ctx;
    const isDeleted = [workspace, board, list].some(({ deletedAt }) => deletedAt !== null);
    if (isDeleted) throw listDeleted();
    if (card.deletedAt === null) return cardDetail(tx.query, card, ctx);
    const { list: locked, isTaken, eventFields } = await ctx.early;
    if (locked?.workspaceId !== workspace.id) throw listDeleted();
    await checkCardLimit(tx, workspace, board.id);
    const position = isTaken ? await positionAt(tx.query, "card", list.id, {}) : card.position;
    const written = { deletedAt: null, position, updatedAt: tx.now };
    const after = updateRow(tx, "cards", card, written);
    if (!isTaken) noteState(tx, after, ctx, eventFields);
    tx.emit("card.restored", { card: after, list, board });
    return cardDetail(tx.query, after, ctx);
  });

const listDeleted = () =>
  conflict("parent_deleted", "The list of the card is deleted. Restore the list first.");
