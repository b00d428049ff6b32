import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import type { Query } from "../../platform/db/query.ts";
import type { ChecklistItem } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { updateRow } from "../../platform/db/write.ts";
import { itemsIn, noteState } from "../cards/event-fields.ts";
import { readCardOf } from "./update.ts";
import { rest } from "../../kernel/request/rest.ts";
import { viewChecklist } from "../views/checklists.ts";
import { eraseTexts } from "../../kernel/events/erase.ts";

/** Reads, behind the lock of the checklist, its items and the card. */
const readEarly = async (query: Query, input: { checklistPublicId: string }) => {
  const [items, found] = await Promise.all([
    query<Pick<ChecklistItem, "publicId" | "completedAt" | "deletedAt">>(
      sql`SELECT i."publicId", i."completedAt", i."deletedAt"
      FROM checklists ch JOIN checklist_items i ON i."checklistId" = ch.id
      WHERE ch."publicId" = ${input.checklistPublicId}`,
    ),
    readCardOf(query, input),
  ]);
  return { items, found };
};

/** Deletes a checklist with its items. */
export const deleteChecklist = mutation("checklist.delete", z.strictObject({}), readEarly)
  .meta(
    rest("Cards").delete(
      "/checklists/{checklistPublicId}",
      "Delete a checklist",
      "Deletes a checklist with its items. They cannot be restored. Their texts are erased " +
        "from the history.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx }) => {
    const { checklist, card, list, board, tx } = ctx;
    const { items, found } = await ctx.early;
    const written = { name: "", deletedAt: tx.now, updatedAt: tx.now };
    const after = updateRow(tx, "checklists", checklist, written);
    tx.send(sql`UPDATE checklist_items SET title = '', "updatedAt" = ${tx.now}::timestamptz
      WHERE "checklistId" = ${checklist.id}`);
    await eraseTexts(tx, {
      cardPublicId: card.publicId,
      publicId: checklist.publicId,
      partPublicIds: items.map(({ publicId }) => publicId),
    });
    const live = items.filter(({ deletedAt }) => deletedAt === null);
    const done = live.filter(({ completedAt }) => completedAt !== null);
    const { total, completed } = itemsIn(found.eventFields);
    noteState(tx, found.card, ctx, found.eventFields, {
      checklistItems: { total: total - live.length, completed: completed - done.length },
    });
    const data = { checklist: viewChecklist(after), card, list, board };
    tx.emit("checklist.deleted", data);
    return success;
  });
