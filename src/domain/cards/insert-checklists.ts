import { appendPositions } from "../../kernel/positions.ts";
import { checkCount } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { Card, Checklist } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";

/** A checklist to insert, with the titles of its items. */
export type NewChecklist = { publicId?: string; name: string; items?: string[] | undefined };

// One array per column: Prisma's createMany takes 30 s for 25,000 rows.
const insertItems = (
  publicIds: string[],
  checklistIds: bigint[],
  titles: string[],
  positions: string[],
  workspaceId: bigint,
  createdById: bigint | null,
  now: Date,
) =>
  sql`
  INSERT INTO checklist_items ("publicId", "checklistId", title, position, "workspaceId",
    "createdById", "createdAt", "updatedAt")
  SELECT item.*, ${workspaceId}::bigint, ${createdById}::bigint, ${now}::timestamptz,
  ${now}::timestamptz
  FROM unnest(${publicIds}::text[], ${checklistIds}::bigint[], ${titles}::text[],
  ${positions}::text[]) AS item`;

/** A new checklist item, not completed. */
export type NewItem = { publicId: string; checklistId: bigint; title: string; position: string };

/** Inserts checklists with their items at the end of a card, whose row is locked or new. */
export async function insertChecklists(
  tx: UnitOfWork,
  card: Pick<Card, "id" | "workspaceId">,
  checklists: NewChecklist[],
  createdById: bigint | null,
): Promise<{ row: Checklist; items: NewItem[] }[]> {
  const { workspaceId } = card;
  const mostItems = Math.max(0, ...checklists.map(({ items = [] }) => items.length));
  checkCount(tx.limits, "checklists", checklists.length);
  checkCount(tx.limits, "checklist_items", mostItems);
  const positions = await appendPositions(tx.query, "checklist", card.id, checklists.length);
  const rows = await tx.prisma.checklist.createManyAndReturn({
    data: checklists.map(({ name, publicId: id = publicId() }, nth) => ({
      publicId: id,
      workspaceId,
      cardId: card.id,
      name,
      position: positions[nth] ?? "",
      createdById,
      createdAt: tx.now,
      updatedAt: tx.now,
    })),
  });
  const itemPositions = await appendPositions(tx.query, "checklistItem", 0n, mostItems);
  const inserted = rows
    .toSorted((one, other) => positions.indexOf(one.position) - positions.indexOf(other.position))
    .map((row, nth) => ({
      row,
      items: (checklists[nth]?.items ?? []).map((title, index) => ({
        publicId: publicId(),
        checklistId: row.id,
        title,
        position: itemPositions[index] ?? "",
      })),
    }));
  const items = inserted.flatMap((checklist) => checklist.items);
  await tx.query(
    insertItems(
      items.map((item) => item.publicId),
      items.map((item) => item.checklistId),
      items.map((item) => item.title),
      items.map((item) => item.position),
      workspaceId,
      createdById,
      tx.now,
    ),
  );
  return inserted;
}
