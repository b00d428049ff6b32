import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { ItemTitleInput } from "../../contract/fields/shared.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween, timeOfFlag, present } from "../../kernel/events/changes.ts";
import { isDayAfter } from "../../contract/vocabulary/whole-days.ts";
import { Index, oldFlag, plannedDate, sameValue } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { divideChanges, versionsOf } from "../divide-changes.ts";
import { checkLimit } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { moveRow, type Move } from "../../kernel/positions.ts";
import type { Checklist as Row } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";
import { placementOf } from "../placement.ts";
import { checkMembersSee } from "../../kernel/access/assignees.ts";
import { findAssignee, assigneeOf } from "./add-item.ts";
import { ChecklistItemDetail } from "../../contract/resources/checklists.ts";
import { itemDetail } from "./detail.ts";
import { updateRow } from "../../platform/db/write.ts";
import { showItem } from "../presenters/checklists.ts";

const Update = z
  .strictObject({
    title: ItemTitleInput.optional(),
    isComplete: z.boolean().meta({ description: "Whether the card is completed." }).optional(),
    completed: oldFlag("isComplete"),
    index: Index.optional(),
    checklistPublicId: inputId(
      "checklist",
      "Public id of the checklist of the same card that the item moves to.",
    ).optional(),
    memberPublicId: inputId("member", "Public id of the assigned member. Null removes it.")
      .nullable()
      .optional(),
    dueDate: plannedDate("When it is due").optional(),
  })
  .refine(...sameValue("isComplete", "completed"));

const singleFieldEvents = {
  isComplete: {
    true: "checklist_item.completed",
    false: "checklist_item.uncompleted",
    oldName: "completed",
  },
} as const;

/** Changes the given fields of a checklist item, and moves it. */
export const updateItem = mutation("checklist.updateItem", Update)
  .meta(
    rest("Cards").put(
      "/checklists/items/{checklistItemPublicId}",
      "Update or move a checklist item",
      "Changes the given fields of a checklist item; `null` clears the member and the due date. " +
        "`index` moves the item within its checklist, or within `checklistPublicId`, another " +
        "checklist of its card. Returns 409 if the member cannot see the restricted board, or if " +
        "the other checklist is full.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(ChecklistItemDetail)
  .mutation(async ({ ctx, input }) => {
    const { checklistItem: item, card, list, board, workspace, tx } = ctx;
    const checklist = await findTarget(ctx, input.checklistPublicId);
    const isElsewhere = checklist.id !== ctx.checklist.id;
    const old = { ...item, ...(await assigneeOf(tx, item.memberId)) };
    const assignee = await findAssignee(tx, workspace.id, input.memberPublicId);
    if (typeof assignee?.memberId === "bigint" && assignee.memberId !== item.memberId) {
      await checkMembersSee(tx.query, board.id, [assignee.memberId], () => ["memberPublicId"]);
    }
    const fields = present({
      title: input.title,
      completedAt: timeOfFlag(input.isComplete ?? input.completed, item.completedAt, tx.now),
      dueDate: typeof input.dueDate === "string" ? new Date(input.dueDate) : input.dueDate,
      isDueAllDay:
        input.dueDate === undefined
          ? undefined
          : isDayAfter(input.dueDate, { isAllDay: item.isDueAllDay, moment: item.dueDate }),
      memberId: assignee?.memberId,
    });
    if (isElsewhere) await checkLimit(tx, "checklist_items", checklist.id);
    const move = await moveRow(
      tx,
      "checklistItem",
      item,
      checklist.id,
      placementOf(input) ?? (isElsewhere ? {} : undefined),
      sql`, "checklistId" = ${checklist.id}`,
    );
    const before = showItem(old);
    const changes = {
      ...changesBetween(before, showItem({ ...old, ...fields, ...assignee })),
      ...(move && !isElsewhere && { index: { from: move.from, to: move.to } }),
    };
    const parents = { checklist, card };
    if (Object.keys(changes).length === 0 && !isElsewhere)
      return itemDetail(tx.query, item, before, parents);
    const { others, events } = divideChanges(changes, singleFieldEvents);
    const count = Number(isElsewhere) + Number(others !== null) + events.length;
    const changedColumns = { ...fields, updatedAt: tx.now };
    const row = updateRow(tx, "checklist_items", item, changedColumns, count);
    const after = showItem({ ...row, memberPublicId: (assignee ?? old).memberPublicId });
    const nextVersion = versionsOf(after, count);
    const data = () => ({ checklistItem: nextVersion(), checklist, card, list, board });
    const to = move && !isElsewhere && { to: { index: move.to } };
    if (move !== null && isElsewhere)
      tx.emit("checklist_item.moved", { ...data(), ...spots(ctx, checklist, move) });
    if (others !== null) tx.emit("checklist_item.updated", { ...data(), ...to }, others);
    for (const [type, change] of events) tx.emit(type, data(), change);
    return itemDetail(tx.query, row, after, parents);
  });

type Checklist = Pick<Row, "id" | "publicId" | "name">;
type Context = { card: { id: bigint }; checklist: Checklist; tx: UnitOfWork };

/** The checklist of the locked card that an item moves to, or where it stays. */
async function findTarget({ card, checklist, tx }: Context, publicId?: string): Promise<Checklist> {
  if (publicId === undefined || publicId === checklist.publicId) return checklist;
  const target = await tx.prisma.checklist.findFirst({
    where: { publicId, cardId: card.id, deletedAt: null },
  });
  if (target === null) throw notFound("checklist");
  return target;
}

const spots = (ctx: { checklist: Checklist }, target: Checklist, move: Move<unknown>) => ({
  from: { checklistPublicId: ctx.checklist.publicId, index: move.from },
  to: { checklistPublicId: target.publicId, index: move.to },
});
