import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { name } from "../../contract/vocabulary/fields.ts";
import { gapFor } from "../../kernel/gaps.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { rest } from "../../kernel/request/rest.ts";
import { ChecklistDetail } from "../../contract/resources/checklists.ts";
import { viewChecklist, viewNewItem } from "../views/checklists.ts";
import { cardWithId, itemsIn, noteState, readEventFields } from "../cards/event-fields.ts";
import { insertChecklists } from "../cards/insert-checklists.ts";
import { checklistDetail } from "./detail.ts";

const NewChecklist = z.strictObject({
  name: name(1, 255),
  items: z.array(name(1, 500)).max(500).optional(),
});

/** Reads, behind the lock of the card, its end and what its state shows. */
const readEarly = async (query: Query, { cardPublicId }: { cardPublicId: string }) => {
  const isCard = cardWithId(cardPublicId);
  const [gap, eventFields] = await Promise.all([
    gapFor(query, "checklist", sql`(SELECT c.id FROM cards c WHERE ${isCard})`, {}),
    readEventFields(query, isCard),
  ]);
  return { gap, eventFields };
};

/** Adds a checklist with its items to a card. */
export const createChecklist = mutation("checklist.create", NewChecklist, readEarly)
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/checklists",
      "Add a checklist to a card",
      "Adds a checklist at the end of a card, with the given items in order. 409 when the card " +
        "has its maximum number of checklists.",
    ),
  )
  .output(ChecklistDetail)
  .mutation(async ({ ctx, input }) => {
    const { card, list, board, caller, created, tx } = ctx;
    const { publicId, existing } = created;
    if (existing !== null) return checklistDetail(tx.query, existing.checklist, card);
    const { gap, eventFields } = await ctx.early;
    const named = [{ ...input, publicId }];
    const [, [inserted]] = await Promise.all([
      checkLimit(tx, "checklists", card.id),
      insertChecklists(tx, card, named, caller.userId, gap),
    ]);
    if (inserted === undefined) throw new Error("The insert returned no checklist.");
    const checklist = {
      ...viewChecklist(inserted.row),
      items: inserted.items.map(viewNewItem),
    };
    const index = Number(gap.index);
    tx.emit("checklist.created", { checklist, card, list, board, to: { index } });
    const { total, completed } = itemsIn(eventFields);
    const { length: itemCount } = inserted.items;
    const checklistItems = { total: total + itemCount, completed };
    noteState(tx, card, ctx, eventFields, { checklistItems });
    return { ...checklist, itemCount, cardPublicId: card.publicId, index };
  });
