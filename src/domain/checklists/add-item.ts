import { z } from "zod";
import { ItemTitleInput } from "../../contract/fields/shared.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import type { ChecklistItem } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { insertPlaced } from "../../kernel/positions.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { Index } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { ChecklistItemDetail } from "../../contract/resources/checklists.ts";
import { detailAt, itemDetail } from "./detail.ts";
import { showItem } from "../presenters/checklists.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";

const NewItem = z.strictObject({ title: ItemTitleInput, index: Index.optional() });

/** Adds an item to a checklist, at the end unless an index is given. */
export const addItem = mutation("checklist.addItem", NewItem, {
  async onReplay({ checklistItem: item, tx, ...ctx }) {
    const view = showItem({ ...item, ...(await assigneeOf(tx, item.memberId)) });
    return itemDetail(tx.query, item, view, ctx);
  },
})
  .meta(
    rest("Cards").post(
      "/checklists/items",
      "Add an item to a checklist",
      "Adds an item at the end of a checklist, or at `index`. Returns 409 if the checklist is " +
        "full.",
      { alias: "/checklists/{checklistPublicId}/items" },
    ),
  )
  .output(ChecklistItemDetail)
  .mutation(async ({ ctx, input }) => {
    const { checklist, card, list, board, workspace, caller, newId, tx } = ctx;
    await checkLimit(tx, "checklist_items", checklist.id);
    const values = sql`${newId}, ${workspace.id}::bigint, ${checklist.id}::bigint,
      ${input.title}, ${caller.userId}::bigint, ${tx.now}::timestamptz, ${tx.now}::timestamptz`;
    const item = await insertPlaced<ChecklistItem>(
      tx.query,
      "checklistItem",
      checklist.id,
      { index: input.index },
      sql`INSERT INTO checklist_items ("publicId", "workspaceId", "checklistId", title,
        "createdById", "createdAt", "updatedAt", position) SELECT ${values}, place.position
        FROM place`,
    );
    const { index } = item;
    const checklistItem = showItem(item);
    tx.emit("checklist_item.created", {
      checklistItem,
      checklist,
      card,
      list,
      board,
      to: { index },
    });
    return detailAt(index, checklistItem, ctx);
  });

/** The member who is assigned to a checklist item. */
type Assignee = { memberId: bigint | null; memberPublicId: string | null };

/** The public id of the member with an id. */
export async function assigneeOf(
  tx: UnitOfWork,
  id: bigint | null,
): Promise<Pick<Assignee, "memberPublicId">> {
  if (id === null) return { memberPublicId: null };
  const { publicId } = await tx.prisma.member.findUniqueOrThrow({ where: { id } });
  return { memberPublicId: publicId };
}

/** Finds the member that an input assigns, or 404; undefined when the input has no member. */
export async function findAssignee(
  tx: UnitOfWork,
  workspaceId: bigint,
  publicId: string | null | undefined,
): Promise<Assignee | undefined> {
  if (publicId === undefined) return undefined;
  if (publicId === null) return { memberId: null, memberPublicId: null };
  const member = await tx.prisma.member.findFirst({
    where: { publicId, workspaceId, status: { not: "removed" } },
  });
  if (member === null) throw notFound("member");
  return { memberId: member.id, memberPublicId: member.publicId };
}
