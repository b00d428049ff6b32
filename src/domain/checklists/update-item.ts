import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { cardName } from "../views/cards.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { positionAt } from "../../kernel/positions.ts";
import { Index, Moment, name, PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { assigneeOf, wantedAssignee } from "./assignee.ts";
import { indexIn } from "./position.ts";
import { ChecklistItem } from "../../contract/resources/checklists.ts";
import { viewItem } from "../views/checklists.ts";

const Update = z.strictObject({
  title: name(1, 500).optional(),
  completed: z.boolean().optional(),
  index: Index.optional(),
  memberPublicId: PublicId.nullable().optional(),
  dueDate: Moment.nullable().optional(),
});

/** Changes what is given of an item: what it says, whether it is done, its place, who does it and by when. */
export const updateItem = mutation("checklist.updateItem", Update)
  .meta(
    rest("Cards").put(
      "/checklists/items/{checklistItemPublicId}",
      "Change, complete or move a checklist item",
      "Changes what is given; `null` clears the member and the due date.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(ChecklistItem)
  .mutation(async ({ ctx, input }) => {
    const { checklistItem: item, checklist, card, list, board, workspace, tx } = ctx;
    const { completed, index } = input;
    const before = { ...item, ...(await assigneeOf(tx, item.memberId)) };
    const member = await wantedAssignee(tx, workspace.id, input.memberPublicId);
    const fields = present({
      title: input.title,
      completedAt:
        completed === undefined ? undefined : completed ? (item.completedAt ?? tx.now) : null,
      dueDate: typeof input.dueDate === "string" ? new Date(input.dueDate) : input.dueDate,
      memberId: member?.memberId,
    });
    if (index !== undefined) await tx.lock("checklists", [checklist.id]);
    const placeOf = (key: string) => indexIn(tx.query, "checklistItem", checklist.id, key);
    const from = index === undefined ? 0 : await placeOf(item.position);
    const position =
      index === undefined
        ? item.position
        : await positionAt(tx.query, "checklistItem", checklist.id, { index }, item);
    const changes = changesBetween(viewItem(before), viewItem({ ...before, ...fields, ...member }));
    const moved = position !== item.position;
    if (!moved && Object.keys(changes).length === 0) return viewItem(before);
    const after = await tx.prisma.checklistItem.update({
      where: { id: item.id },
      data: { ...fields, position, version: { increment: 1 }, updatedAt: tx.now },
    });
    const checklistItem = viewItem({ ...after, memberPublicId: (member ?? before).memberPublicId });
    const told = { checklistItem, checklist, card: cardName(card, workspace), list, board };
    const { completed: done, ...others } = changes;
    const otherChanges = moved
      ? { ...others, index: { from, to: await placeOf(position) } }
      : others;
    if (Object.keys(otherChanges).length > 0) tx.emit("checklist_item.updated", told, otherChanges);
    if (done !== undefined) {
      tx.emit(done.to ? "checklist_item.completed" : "checklist_item.uncompleted", told, {
        completed: done,
      });
    }
    return checklistItem;
  });
