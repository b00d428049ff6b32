import { publicId } from "../../platform/db/public-id.ts";
import { checkCount } from "../../kernel/limits.ts";
import type { Card } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql } from "../../platform/db/sql.ts";

type Selection = { withChecklists: boolean; withLabels: boolean; withMembers: boolean };

/** Copies the selected labels, members and checklists of a card to a new card. */
export async function copyRelations(
  tx: UnitOfWork,
  sourceId: bigint,
  card: Card,
  selection: Selection,
) {
  const values = [sourceId, card.id, tx.now];
  if (selection.withLabels) await tx.query(insertLabels, values);
  if (selection.withMembers) await tx.query(insertMembers, values);
  if (selection.withChecklists) await copyChecklists(tx, sourceId, card);
}

const insertLabels = `
  INSERT INTO card_labels ("cardId", "labelId", "workspaceId", "createdAt")
  SELECT $2, "labelId", "workspaceId", $3::timestamptz FROM card_labels WHERE "cardId" = $1`;
const insertMembers = `
  INSERT INTO card_members ("cardId", "memberId", "workspaceId", "createdAt")
  SELECT $2, cm."memberId", cm."workspaceId", $3::timestamptz
  FROM card_members cm JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
  WHERE cm."cardId" = $1`;

// One array per column: Prisma's createMany takes 30 s for tens of thousands of rows.
const sources = (table: string) => `
  FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS new(id, "publicId", nth)
  JOIN ${table} old ON old.id = new.id`;
const insertChecklists = `
  INSERT INTO checklists ("publicId", "workspaceId", "cardId", name, position, "createdById",
    "createdAt", "updatedAt")
  SELECT new."publicId", old."workspaceId", $3::bigint, old.name, old.position, $4::bigint,
    $5::timestamptz, $5::timestamptz ${sources("checklists")}`;
// Positions are unique within a card, so they match a copied checklist to its source.
const insertItems = `
  INSERT INTO checklist_items ("publicId", "workspaceId", "checklistId", title, position,
    "memberId", "dueDate", "createdById", "createdAt", "updatedAt")
  SELECT new."publicId", old."workspaceId", copy.id, old.title, old.position, old."memberId",
    old."dueDate", $4::bigint, $5::timestamptz, $5::timestamptz ${sources("checklist_items")}
  JOIN checklists list ON list.id = old."checklistId"
  JOIN checklists copy ON copy."cardId" = $3 AND copy.position = list.position`;
const insertComments = `
  INSERT INTO comments ("publicId", "workspaceId", "cardId", comment, "createdById",
    "authorName", version, "createdAt", "updatedAt")
  SELECT new."publicId", old."workspaceId", $3::bigint, old.comment, old."createdById",
    old."authorName", old.version, old."createdAt", old."updatedAt" ${sources("comments")}
  ORDER BY new.nth`;

type Source = { id: bigint };

/** The ids of sources, and new public ids for their copies. */
const columnsOf = (rows: Source[]) => [rows.map(({ id }) => id), rows.map(() => publicId())];

async function copyChecklists({ query, limits, now }: UnitOfWork, sourceId: bigint, card: Card) {
  const checklists = await query<Source>(
    sql`SELECT id FROM checklists WHERE "cardId" = ${sourceId} AND "deletedAt" IS NULL`,
  );
  const items = await query<Source & { checklistId: bigint }>(
    sql`SELECT id, "checklistId" FROM checklist_items
     WHERE "checklistId" = ANY(${checklists.map(({ id }) => id)}::bigint[])
     AND "deletedAt" IS NULL`,
  );
  checkCount(limits, "checklists", checklists.length);
  for (const { id } of checklists) {
    const own = items.filter(({ checklistId }) => checklistId === id);
    checkCount(limits, "checklist_items", own.length);
  }
  const shared = [card.id, card.createdById, now];
  await query(insertChecklists, [...columnsOf(checklists), ...shared]);
  await query(insertItems, [...columnsOf(items), ...shared]);
}

/** Copies the comments of a card to a new card, with their authors and times. */
export async function copyComments({ query }: UnitOfWork, sourceId: bigint, card: Card) {
  const comments = await query<Source>(
    sql`SELECT id FROM comments WHERE "cardId" = ${sourceId} AND "deletedAt" IS NULL ORDER BY id`,
  );
  await query(insertComments, [...columnsOf(comments), card.id]);
}
