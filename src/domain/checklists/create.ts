import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { rest } from "../../kernel/request/rest.ts";
import { ChecklistDetail } from "../../contract/resources/checklists.ts";
import { showChecklist, showNewItem } from "../presenters/checklists.ts";
import { insertChecklists } from "../cards/insert-checklists.ts";
import { NewChecklist } from "../cards/new-parts.ts";
import { checklistDetail } from "./detail.ts";
import { firstRow } from "../../platform/db/query.ts";

/** Adds a checklist with its items to a card. */
export const createChecklist = mutation("checklist.create", NewChecklist, {
  onReplay: ({ checklist, card, tx }) => checklistDetail(tx.query, checklist, card),
})
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/checklists",
      "Add a checklist to a card",
      "Adds a checklist at the end of a card, with the given items in order. Returns 409 if the " +
        "card has too many checklists.",
    ),
  )
  .output(ChecklistDetail)
  .mutation(async ({ ctx, input }) => {
    const { card, list, board, caller, newId, tx } = ctx;
    await checkLimit(tx, "checklists", card.id);
    const newChecklists = [{ ...input, publicId: newId }];
    const inserted = firstRow(await insertChecklists(tx, card, newChecklists, caller.userId));
    const checklist = {
      ...showChecklist(inserted.row),
      items: inserted.items.map(showNewItem),
    };
    const { index, itemCount } = await checklistDetail(tx.query, inserted.row, card);
    tx.emit("checklist.created", { checklist, card, list, board, to: { index } });
    return { ...checklist, itemCount, cardPublicId: card.publicId, index };
  });
