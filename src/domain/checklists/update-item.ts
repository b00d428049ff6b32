import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween, timeOfFlag, present } from "../../kernel/events/changes.ts";
import { Index, Moment, name, PublicId, sameValue } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { divideChanges, versionsOf } from "../divide-changes.ts";
import { findMove, targetOf } from "../positions/move.ts";
import { placementOf } from "../positions/placement.ts";
import { checkMembersSee } from "../../kernel/access/assignees.ts";
import { findAssignee, assigneeOf } from "./assignee.ts";
import { ChecklistItemDetail } from "../../contract/resources/checklists.ts";
import { detailAt, itemDetail } from "./detail.ts";
import type { Query } from "../../platform/db/query.ts";
import { updateRow } from "../../platform/db/write.ts";
import { sql } from "../../platform/db/sql.ts";
import { itemsIn, noteState, readCard } from "../cards/event-fields.ts";
import { viewItem } from "../views/checklists.ts";

const Update = z
  .strictObject({
    title: name(1, 500).optional(),
    isComplete: z.boolean().optional(),
    completed: z.boolean().meta({ description: "Use `isComplete`.", deprecated: true }).optional(),
    index: Index.optional(),
    memberPublicId: PublicId.nullable().optional(),
    dueDate: Moment.nullable().optional(),
  })
  .refine(...sameValue("isComplete", "completed"));

const singleFieldEvents = {
  isComplete: {
    true: "checklist_item.completed",
    false: "checklist_item.uncompleted",
    oldName: "completed",
  },
} as const;

type Input = { checklistItemPublicId: string };

/** Reads, behind the lock of the item and its card, its index and the card. */
const readEarly = async (query: Query, { checklistItemPublicId }: Input) => {
  const isItem = sql`i."publicId" = ${checklistItemPublicId}`;
  const [[found], card] = await Promise.all([
    query<{ index: number }>(sql`SELECT count(o.id)::int AS index
      FROM checklist_items i JOIN checklist_items o ON o."checklistId" = i."checklistId"
        AND o.position < i.position AND o."deletedAt" IS NULL
      WHERE ${isItem}`),
    readCard(
      query,
      sql`c.id = (SELECT ch."cardId" FROM checklist_items i
      JOIN checklists ch ON ch.id = i."checklistId" WHERE ${isItem})`,
    ),
  ]);
  return { index: found?.index ?? 0, ...card };
};

/** Changes the given fields of a checklist item, and moves it. */
export const updateItem = mutation("checklist.updateItem", Update, readEarly)
  .meta(
    rest("Cards").put(
      "/checklists/items/{checklistItemPublicId}",
      "Change or move a checklist item",
      "Changes the given fields; `null` clears the member and the due date. `index` moves the " +
        "item within its checklist. 409 when the member cannot see the restricted board.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(ChecklistItemDetail)
  .mutation(async ({ ctx, input }) => {
    const { checklistItem: item, checklist, card, list, board, workspace, tx } = ctx;
    const old = { ...item, ...(await assigneeOf(tx, item.memberId)) };
    const assignee = await findAssignee(tx, workspace.id, input.memberPublicId);
    if (typeof assignee?.memberId === "bigint" && assignee.memberId !== item.memberId) {
      await checkMembersSee(tx.query, board.id, [assignee.memberId], ["memberPublicId"]);
    }
    const fields = present({
      title: input.title,
      completedAt: timeOfFlag(input.isComplete ?? input.completed, item.completedAt, tx.now),
      dueDate: typeof input.dueDate === "string" ? new Date(input.dueDate) : input.dueDate,
      memberId: assignee?.memberId,
    });
    const move = await findMove(tx, "checklistItem", checklist.id, item, placementOf(input));
    const before = viewItem(old);
    const changes = {
      ...changesBetween(before, viewItem({ ...old, ...fields, ...assignee })),
      ...(move && { index: { from: move.from, to: move.to } }),
    };
    const early = await ctx.early;
    const detailOf = (one: typeof item, view: typeof before) =>
      move === null ? detailAt(early.index, view, ctx) : itemDetail(tx.query, one, view, ctx);
    if (Object.keys(changes).length === 0) return detailOf(item, before);
    const position = move?.position ?? item.position;
    const { others, events } = divideChanges(changes, singleFieldEvents);
    const count = Number(others !== null) + events.length;
    const written = { ...fields, position, updatedAt: tx.now };
    const row = updateRow(tx, "checklist_items", item, written, count);
    const { card: whole, eventFields } = early;
    const { total, completed } = itemsIn(eventFields);
    const more = Number(row.completedAt !== null) - Number(item.completedAt !== null);
    const checklistItems = { total, completed: completed + more };
    noteState(tx, whole, ctx, eventFields, { checklistItems });
    const after = viewItem({ ...row, memberPublicId: (assignee ?? old).memberPublicId });
    const next = versionsOf(after, count);
    const data = () => ({ checklistItem: next(), checklist, card, list, board });
    if (others !== null)
      tx.emit("checklist_item.updated", { ...data(), ...targetOf(move) }, others);
    for (const [type, change] of events) tx.emit(type, data(), change);
    return detailOf(row, after);
  });
