import { publicId } from "../../platform/db/public-id.ts";
import { checkCount } from "../../kernel/limits.ts";
import type { Card } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql } from "../../platform/db/sql.ts";

type Along = { withChecklists: boolean; withLabels: boolean; withMembers: boolean };

/** Puts the labels, members and checklists of one card on another that is new, as far as they are to come along. */
export async function copyMarks(tx: UnitOfWork, sourceId: bigint, card: Card, along: Along) {
  if (along.withLabels) {
    await tx.query(sql`
      INSERT INTO card_labels ("cardId", "labelId", "workspaceId", "createdAt")
      SELECT ${card.id}, "labelId", "workspaceId", ${tx.now}::timestamptz
      FROM card_labels WHERE "cardId" = ${sourceId}`);
  }
  if (along.withMembers) {
    await tx.query(sql`
      INSERT INTO card_members ("cardId", "memberId", "workspaceId", "createdAt")
      SELECT ${card.id}, cm."memberId", cm."workspaceId", ${tx.now}::timestamptz
      FROM card_members cm JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
      WHERE cm."cardId" = ${sourceId}`);
  }
  if (along.withChecklists) await copyChecklists(tx, sourceId, card);
}

// One array per column: Prisma's createMany takes half a minute for tens of thousands of rows.
const newRows = (sources: Source[]) => sql`
  unnest(${sources.map(({ id }) => id)}::bigint[], ${sources.map(() => publicId())}::text[])
    WITH ORDINALITY AS new(id, "publicId", nth)`;
const insertChecklists = (sources: Source[], card: Card, now: Date) => sql`
  INSERT INTO checklists ("publicId", "workspaceId", "cardId", name, position, "createdById",
    "createdAt", "updatedAt")
  SELECT new."publicId", source."workspaceId", ${card.id}::bigint, source.name, source.position,
    ${card.createdById}::bigint, ${now}::timestamptz, ${now}::timestamptz
  FROM ${newRows(sources)} JOIN checklists source ON source.id = new.id`;
// No two checklists of a card have the same position: it identifies the copy of each.
const insertItems = (sources: Source[], card: Card, now: Date) => sql`
  INSERT INTO checklist_items ("publicId", "workspaceId", "checklistId", title, position,
    "memberId", "dueDate", "createdById", "createdAt", "updatedAt")
  SELECT new."publicId", source."workspaceId", copy.id, source.title, source.position,
    source."memberId", source."dueDate", ${card.createdById}::bigint, ${now}::timestamptz,
    ${now}::timestamptz
  FROM ${newRows(sources)} JOIN checklist_items source ON source.id = new.id
  JOIN checklists list ON list.id = source."checklistId"
  JOIN checklists copy ON copy."cardId" = ${card.id} AND copy.position = list.position`;
const insertComments = (sources: Source[], card: Card) => sql`
  INSERT INTO comments ("publicId", "workspaceId", "cardId", comment, "createdById",
    "authorName", version, "createdAt", "updatedAt")
  SELECT new."publicId", source."workspaceId", ${card.id}::bigint, source.comment,
    source."createdById", source."authorName", source.version, source."createdAt",
    source."updatedAt"
  FROM ${newRows(sources)} JOIN comments source ON source.id = new.id ORDER BY new.nth`;

type Source = { id: bigint };

async function copyChecklists({ query, limits, now }: UnitOfWork, sourceId: bigint, card: Card) {
  const lists = await query<Source>(
    sql`SELECT id FROM checklists WHERE "cardId" = ${sourceId} AND "deletedAt" IS NULL`,
  );
  const items = await query<Source & { checklistId: bigint }>(
    sql`SELECT id, "checklistId" FROM checklist_items
      WHERE "checklistId" = ANY(${lists.map(({ id }) => id)}::bigint[]) AND "deletedAt" IS NULL`,
  );
  checkCount(limits, "checklists", lists.length);
  for (const { id } of lists) {
    const held = items.filter(({ checklistId }) => checklistId === id);
    checkCount(limits, "checklist_items", held.length);
  }
  await query(insertChecklists(lists, card, now));
  await query(insertItems(items, card, now));
}

/** Puts the comments of one card on another that is new, with their authors and times. */
export async function copyComments(
  { query }: UnitOfWork,
  sourceId: bigint,
  card: Card,
): Promise<void> {
  const comments = await query<Source>(
    sql`SELECT id FROM comments WHERE "cardId" = ${sourceId} AND "deletedAt" IS NULL ORDER BY id`,
  );
  await query(insertComments(comments, card));
}
