import { z } from "zod";
import { Card } from "../../contract/resources/cards.ts";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { findAccessibleList } from "../../kernel/access/accessible-list.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { newCardDetail } from "../cards/detail.ts";
import { checkCardLimit } from "../../kernel/limits.ts";
import { insertCard } from "../cards/insert.ts";
import { attachParts } from "../cards/new-parts.ts";
import { relate } from "../related/relate.ts";
import { assigneeOf } from "./add-item.ts";
import { removeItem } from "./delete-item.ts";

const Input = z.strictObject({
  listPublicId: inputId(
    "list",
    "Public id of the list of the new card. By default that of the card of the checklist.",
  ).optional(),
});

/** Makes a child of a card from an item of its checklist. */
export const convertItem = mutation("checklist.convertItem", Input)
  .meta(
    rest("Cards").post(
      "/checklists/items/{checklistItemPublicId}/card",
      "Turn an item into a card",
      "Adds a card at the end of a list, as a child of the card of the checklist, and deletes the " +
        "item. It has the title, the member and the due date of the item. Also requires " +
        "`card:create`. Returns 409 if the card would have more than 5 parents above it, or has " +
        "100 relations.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    const { checklistItem: item, workspace, caller, tx } = ctx;
    const list = await findAccessibleList(tx.query, input.listPublicId ?? ctx.list.publicId, ctx);
    const { board } = list;
    await tx.lock("lists", [list.id]);
    const parents = { ...ctx, list, board };
    await checkCardLimit(tx, workspace, board.id);
    const { title, dueDate, isDueAllDay, completedAt } = item;
    const fields = { title, dueDate, isDueAllDay, completedAt };
    const owner = { workspaceId: workspace.id, createdById: caller.userId };
    const row = { publicId: publicId(), boardId: board.id, listId: list.id, ...fields };
    const card = await insertCard(tx, owner, row);
    const { memberPublicId } = await assigneeOf(tx, item.memberId);
    await attachParts(tx, card, {
      memberPublicIds: memberPublicId === null ? [] : [memberPublicId],
    });
    tx.emit("card.created", { card, list, board });
    const child = { card, list, board, workspace };
    await relate({ tx, caller, workspaceId: workspace.id }, ctx, { kind: "parent", other: child });
    await removeItem(ctx);
    return newCardDetail(tx.query, card, parents);
  });
