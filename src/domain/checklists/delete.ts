import { mutation } from "../../kernel/procedures/mutation.ts";
import { success, Success } from "../../contract/vocabulary/texts.ts";
import { sql } from "../../platform/db/sql.ts";
import { updateRow } from "../../platform/db/write.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showChecklist } from "../presenters/checklists.ts";
import { eraseTexts } from "../../kernel/events/erase.ts";

/** Deletes a checklist with its items. */
export const deleteChecklist = mutation("checklist.delete")
  .meta(
    rest("Cards").delete(
      "/checklists/{checklistPublicId}",
      "Delete a checklist",
      "Deletes a checklist with its items. A deleted checklist cannot be restored, and its texts " +
        "are erased from the history.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx }) => {
    const { checklist, card, list, board, tx } = ctx;
    const erased = { name: "", deletedAt: tx.now, updatedAt: tx.now };
    const after = updateRow(tx, "checklists", checklist, erased);
    const items = await tx.query<{ publicId: string }>(sql`UPDATE checklist_items
      SET title = '', "updatedAt" = ${tx.now}::timestamptz
      WHERE "checklistId" = ${checklist.id} RETURNING "publicId"`);
    await eraseTexts(tx, {
      cardPublicId: card.publicId,
      publicId: checklist.publicId,
      moves: true,
      partPublicIds: items.map(({ publicId }) => publicId),
    });
    const data = { checklist: showChecklist(after), card, list, board };
    tx.emit("checklist.deleted", data);
    return success;
  });
