import { membersWhoSee } from "../../kernel/access/visibility.ts";
import { appendPositions } from "../../kernel/positions.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { checkCount } from "../../kernel/limits.ts";
import type { Board, Card } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { conflict, notFound } from "../../platform/errors.ts";
import { sql } from "../../platform/db/sql.ts";

/** What a new card is given on its way: labels of its board, members of its workspace, checklists with their items' titles. */
export type InitialRelations = {
  labelPublicIds?: string[] | undefined;
  memberPublicIds?: string[] | undefined;
  checklists?: { name: string; items?: string[] | undefined }[] | undefined;
};

/** Hangs labels, members and checklists on a new card; 404 for a label of another board or a member of another workspace, 409 for a member who cannot see the board. */
export async function attachRelations(
  tx: UnitOfWork,
  card: Card,
  board: Pick<Board, "id" | "visibility">,
  equipment: InitialRelations,
): Promise<void> {
  const { labelPublicIds = [], memberPublicIds = [], checklists = [] } = equipment;
  const { workspaceId, boardId } = card;
  const on = { cardId: card.id, workspaceId, createdAt: tx.now };
  if (labelPublicIds.length > 0) {
    const labels = await tx.prisma.label.findMany({
      where: { publicId: { in: labelPublicIds }, boardId, deletedAt: null },
      select: { id: true },
    });
    if (labels.length < new Set(labelPublicIds).size) throw notFound("label");
    await tx.prisma.cardLabel.createMany({
      data: labels.map(({ id }) => ({ ...on, labelId: id })),
    });
  }
  if (memberPublicIds.length > 0) {
    const members = await tx.prisma.member.findMany({
      where: { publicId: { in: memberPublicIds }, workspaceId, status: { not: "removed" } },
      select: { id: true },
    });
    if (members.length < new Set(memberPublicIds).size) throw notFound("member");
    const ids = members.map(({ id }) => id);
    const sees = await tx.prisma.member.count({
      where: { id: { in: ids }, ...membersWhoSee(board) },
    });
    if (sees < ids.length) {
      throw conflict("A member who is named cannot see this board.", ["memberPublicIds"]);
    }
    await tx.prisma.cardMember.createMany({
      data: ids.map((memberId) => ({ ...on, memberId })),
    });
  }
  if (checklists.length === 0) return;
  const made = {
    workspaceId,
    createdById: card.createdById,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  const longest = Math.max(...checklists.map(({ items = [] }) => items.length));
  checkCount(tx.limits, "checklists", checklists.length);
  checkCount(tx.limits, "checklist_items", longest);
  const keys = await appendPositions(tx.query, "checklist", card.id, checklists.length);
  const rows = await tx.prisma.checklist.createManyAndReturn({
    data: checklists.map(({ name }, place) => ({
      ...made,
      publicId: publicId(),
      cardId: card.id,
      name,
      position: keys[place] ?? "",
    })),
    select: { id: true, position: true },
  });
  const itemKeys = await appendPositions(tx.query, "checklistItem", 0n, longest);
  const items = rows.flatMap(({ id, position }) =>
    (checklists[keys.indexOf(position)]?.items ?? []).map((title, place) => ({
      id: publicId(),
      checklistId: id,
      title,
      position: itemKeys[place] ?? "",
    })),
  );
  await tx.query(
    insertItems(
      items.map((item) => item.id),
      items.map((item) => item.checklistId),
      items.map((item) => item.title),
      items.map((item) => item.position),
      workspaceId,
      card.createdById,
      tx.now,
    ),
  );
}

// One array a column: there may be 25,000 of them, over which Prisma's own createMany would take half a minute.
const insertItems = (
  publicIds: string[],
  checklistIds: bigint[],
  titles: string[],
  positions: string[],
  workspaceId: bigint,
  createdById: bigint | null,
  now: Date,
) =>
  sql`INSERT INTO checklist_items ("publicId", "checklistId", title, position, "workspaceId",
    "createdById", "createdAt", "updatedAt")
  SELECT item.*, ${workspaceId}::bigint, ${createdById}::bigint, ${now}::timestamptz,
  ${now}::timestamptz
  FROM unnest(${publicIds}::text[], ${checklistIds}::bigint[], ${titles}::text[],
  ${positions}::text[]) AS item`;
