import { z } from "zod";
import { mayWrite } from "../../kernel/procedures.ts";
import { cardName } from "../views/cards.ts";
import { keyFor } from "../../kernel/positions.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { checkRoom } from "../../kernel/limits.ts";
import { Index, name } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";
import { ChecklistItem } from "../../contract/resources/checklists.ts";
import { viewItem } from "../views/checklists.ts";

const NewItem = z.strictObject({ title: name(1, 500), index: Index.optional() });

/** Adds an item to a checklist, at its end unless told otherwise. */
export const addItem = mayWrite("checklist.addItem", NewItem)
  .meta(
    rest("Cards").post(
      "/checklists/items",
      "Add an item to a checklist",
      "Adds an item at the end of a checklist, or where `index` says.",
      { alias: "/checklists/{checklistPublicId}/items" },
    ),
  )
  .output(ChecklistItem)
  .mutation(async ({ ctx: { checklist, card, list, board, workspace, caller, work }, input }) => {
    await checkRoom(work, "checklist_items", checklist.id);
    const item = await work.tx.checklistItem.create({
      data: {
        publicId: publicId(),
        workspaceId: workspace.id,
        checklistId: checklist.id,
        title: input.title,
        position: await keyFor(work.query, "checklistItem", checklist.id, { index: input.index }),
        createdById: caller.userId,
        createdAt: work.now,
        updatedAt: work.now,
      },
    });
    const checklistItem = viewItem(item);
    work.emit("checklist_item.created", {
      checklistItem,
      checklist,
      card: cardName(card, workspace),
      list,
      board,
    });
    return checklistItem;
  });
