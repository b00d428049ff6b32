import { publicId } from "../db/public-id.ts";
import { checkCount } from "../db/room.ts";
import type { Card } from "../db/rows.ts";
import type { Work } from "../db/work.ts";

type Along = { withChecklists: boolean; withLabels: boolean; withMembers: boolean };

/** Puts the labels, members and checklists of one card on another that is new, as far as they are to come along. */
export async function copyMarks(work: Work, sourceId: bigint, card: Card, along: Along) {
  const values = [sourceId, card.id, work.now];
  if (along.withLabels) {
    await work.query(
      `INSERT INTO card_labels ("cardId", "labelId", "workspaceId", "createdAt")
       SELECT $2, "labelId", "workspaceId", $3::timestamptz FROM card_labels WHERE "cardId" = $1`,
      values,
    );
  }
  if (along.withMembers) {
    await work.query(
      `INSERT INTO card_members ("cardId", "memberId", "workspaceId", "createdAt")
       SELECT $2, cm."memberId", cm."workspaceId", $3::timestamptz
       FROM card_members cm JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed' WHERE cm."cardId" = $1`,
      values,
    );
  }
  if (along.withChecklists) await copyChecklists(work, sourceId, card);
}

async function copyChecklists(work: Work, sourceId: bigint, card: Card) {
  const made = {
    workspaceId: card.workspaceId,
    createdById: card.createdById,
    createdAt: work.now,
    updatedAt: work.now,
  };
  const lists = await work.tx.checklist.findMany({
    where: { cardId: sourceId, deletedAt: null },
    include: { items: { where: { deletedAt: null } } },
  });
  checkCount(work.rooms, "checklists", lists.length);
  for (const { items } of lists) checkCount(work.rooms, "checklist_items", items.length);
  const copies = await work.tx.checklist.createManyAndReturn({
    data: lists.map(({ name, position }) => ({
      ...made,
      publicId: publicId(),
      cardId: card.id,
      name,
      position,
    })),
    select: { id: true, position: true },
  });
  const byPosition = new Map(copies.map(({ id, position }) => [position, id]));
  await work.tx.checklistItem.createMany({
    data: lists.flatMap(({ position: list, items }) =>
      items.map(({ title, position, memberId, dueDate }) => ({
        ...made,
        publicId: publicId(),
        checklistId: byPosition.get(list) ?? 0n,
        title,
        position,
        memberId,
        dueDate,
      })),
    ),
  });
}

/** Puts the comments of one card on another that is new, with their authors and times. */
export async function copyComments(work: Work, sourceId: bigint, card: Card): Promise<void> {
  const comments = await work.tx.comment.findMany({
    where: { cardId: sourceId, deletedAt: null },
    orderBy: { id: "asc" },
    omit: { id: true, cardId: true, deletedAt: true },
  });
  await work.tx.comment.createMany({
    data: comments.map((comment) => ({ ...comment, publicId: publicId(), cardId: card.id })),
  });
}
