import { mayWrite } from "../../kernel/procedures.ts";
import { cardName } from "../views/cards.ts";
import { success, Success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";
import { viewChecklist } from "../views/checklists.ts";

/** Deletes a checklist with its items. */
export const deleteChecklist = mayWrite("checklist.delete")
  .meta(
    rest("Cards").delete(
      "/checklists/{checklistPublicId}",
      "Delete a checklist",
      "Its items go with it.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { checklist, card, list, board, workspace, work } }) => {
    const after = await work.tx.checklist.update({
      where: { id: checklist.id },
      data: { deletedAt: work.now, version: { increment: 1 }, updatedAt: work.now },
    });
    const told = { checklist: viewChecklist(after), card: cardName(card, workspace), list, board };
    work.emit("checklist.deleted", told);
    return success;
  });
