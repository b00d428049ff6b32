import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { itemsIn, noteState, readCard } from "../cards/event-fields.ts";
import type { Query } from "../../platform/db/query.ts";
import type { ChecklistItem } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { gapFor } from "../../kernel/gaps.ts";
import { positionAt } from "../../kernel/positions.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { Index, name } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { assigneeOf } from "./assignee.ts";
import { ChecklistItemDetail } from "../../contract/resources/checklists.ts";
import { detailAt, itemDetail } from "./detail.ts";
import { viewItem } from "../views/checklists.ts";

const NewItem = z.strictObject({ title: name(1, 500), index: Index.optional() });

/** Reads, behind the lock of the checklist, the gap of the item and the card. */
const readEarly = async (
  query: Query,
  { checklistPublicId, index }: { checklistPublicId: string; index?: number | undefined },
) => {
  const of = (column: string) => sql`(SELECT ${sql.identifier(column)} FROM checklists
    WHERE "publicId" = ${checklistPublicId})`;
  const [gap, found] = await Promise.all([
    gapFor(query, "checklistItem", of("id"), { index }),
    readCard(query, sql`c.id = ${of("cardId")}`),
  ]);
  return { gap, found };
};

/** Adds an item to a checklist, at the end unless an index is given. */
export const addItem = mutation("checklist.addItem", NewItem, readEarly)
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
    const { gap, found } = await ctx.early;
    const { index } = input;
    const { query } = tx;
    const position = await positionAt(query, "checklistItem", checklist.id, { index }, null, gap);
    const limit = checkLimit(tx, "checklist_items", checklist.id);
    const inserted = tx.query<ChecklistItem>(sql`INSERT INTO checklist_items ("publicId",
        "workspaceId", "checklistId", title, position, "createdById", "createdAt", "updatedAt")
      VALUES (${created.publicId}, ${workspace.id}, ${checklist.id}, ${input.title}, ${position},
        ${caller.userId}, ${tx.now}::timestamptz, ${tx.now}::timestamptz) RETURNING *`);
    const [, [item]] = await Promise.all([limit, inserted]);
    if (item === undefined) throw new Error("The insert returned no item.");
    const checklistItem = viewItem(item);
    const { total, completed } = itemsIn(found.eventFields);
    const checklistItems = { total: total + 1, completed };
    noteState(tx, found.card, ctx, found.eventFields, { checklistItems });
    tx.emit("checklist_item.created", {
      checklistItem,
      checklist,
      card,
      list,
      board,
      to: { index: Number(gap.index) },
    });
    return detailAt(Number(gap.index), checklistItem, ctx);
  });
