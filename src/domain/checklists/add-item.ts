import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { positionAt } from "../../kernel/positions.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { Index, name } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { assigneeOf } from "./assignee.ts";
import { ChecklistItemDetail } from "../../contract/resources/checklists.ts";
import { itemDetail } from "./detail.ts";
import { viewItem } from "../views/checklists.ts";

const NewItem = z.strictObject({ title: name(1, 500), index: Index.optional() });

/** Adds an item to a checklist, at the end unless an index is given. */
export const addItem = mutation("checklist.addItem", NewItem)
  .meta(
    rest("Cards").post(
      "/checklists/items",
      "Add an item to a checklist",
      "Adds an item at the end of a checklist, or at `index`. 409 when the checklist has its " +
        "maximum number of items.",
      { alias: "/checklists/{checklistPublicId}/items" },
    ),
  )
  .output(ChecklistItemDetail)
  .mutation(async ({ ctx, input }) => {
    const { checklist, card, list, board, workspace, caller, created, tx } = ctx;
    if (created.existing !== null) {
      const { checklistItem: item } = created.existing;
      const view = viewItem({ ...item, ...(await assigneeOf(tx, item.memberId)) });
      return itemDetail(tx.query, item, view, ctx);
    }
    await checkLimit(tx, "checklist_items", checklist.id);
    const item = await tx.prisma.checklistItem.create({
      data: {
        publicId: created.publicId,
        workspaceId: workspace.id,
        checklistId: checklist.id,
        title: input.title,
        position: await positionAt(tx.query, "checklistItem", checklist.id, { index: input.index }),
        createdById: caller.userId,
        createdAt: tx.now,
        updatedAt: tx.now,
      },
    });
    const checklistItem = viewItem(item);
    tx.emit("checklist_item.created", {
      checklistItem,
      checklist,
      card,
      list,
      board,
    });
    return itemDetail(tx.query, item, checklistItem, ctx);
  });
