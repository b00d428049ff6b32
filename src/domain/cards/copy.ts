import { publicId } from "../../platform/db/public-id.ts";
import { checkCount } from "../../kernel/limits.ts";
import type { Card } from "../../platform/db/rows.ts";
import type { UnitOfWork } from "../../kernel/unit-of-work.ts";
import { sql } from "../../platform/db/sql.ts";

type Along = { withChecklists: boolean; withLabels: boolean; withMembers: boolean };

/** Puts the labels, members and checklists of one card on another that is new, as far as they are to come along. */
export async function copyMarks(tx: UnitOfWork, sourceId: bigint, card: Card, along: Along) {
  const values = [sourceId, card.id, tx.now];
  if (along.withLabels) {
    await tx.query(
      `INSERT INTO card_labels ("cardId", "labelId", "workspaceId", "createdAt")
       SELECT $2, "labelId", "workspaceId", $3::timestamptz FROM card_labels WHERE "cardId" = $1`,
      values,
    );
  }
  if (along.withMembers) {
    await tx.query(
      `INSERT INTO card_members ("cardId", "memberId", "workspaceId", "createdAt")
       SELECT $2, cm."memberId", cm."workspaceId", $3::timestamptz
       FROM card_members cm JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed' WHERE cm."cardId" = $1`,
      values,
    );
  }
  if (along.withChecklists) await copyChecklists(tx, sourceId, card);
}

// One array a column: there may be tens of thousands of rows, over which Prisma's own createMany would take half a minute.
const copies = (table: string) =>
  `FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS new(id, "publicId", nth) JOIN ${table} old ON old.id = new.id`;
const insertChecklists = `INSERT INTO checklists ("publicId", "workspaceId", "cardId", name, position, "createdById", "createdAt", "updatedAt")
  SELECT new."publicId", old."workspaceId", $3::bigint, old.name, old.position, $4::bigint, $5::timestamptz, $5::timestamptz
  ${copies("checklists")}`;
// No two checklists of a card have one position, so it tells which copy is whose.
const insertItems = `INSERT INTO checklist_items ("publicId", "workspaceId", "checklistId", title, position, "memberId", "dueDate", "createdById", "createdAt", "updatedAt")
  SELECT new."publicId", old."workspaceId", copy.id, old.title, old.position, old."memberId", old."dueDate", $4::bigint, $5::timestamptz, $5::timestamptz
  ${copies("checklist_items")} JOIN checklists list ON list.id = old."checklistId"
  JOIN checklists copy ON copy."cardId" = $3 AND copy.position = list.position`;
const insertComments = `INSERT INTO comments ("publicId", "workspaceId", "cardId", comment, "createdById", "authorName", version, "createdAt", "updatedAt")
  SELECT new."publicId", old."workspaceId", $3::bigint, old.comment, old."createdById", old."authorName", old.version, old."createdAt", old."updatedAt"
  ${copies("comments")} ORDER BY new.nth`;

type Piece = { id: bigint };

/** What is to be copied, and the public ids of the copies. */
const named = (rows: Piece[]) => [rows.map(({ id }) => id), rows.map(() => publicId())];

async function copyChecklists({ query, limits, now }: UnitOfWork, sourceId: bigint, card: Card) {
  const lists = await query<Piece>(
    sql`SELECT id FROM checklists WHERE "cardId" = ${sourceId} AND "deletedAt" IS NULL`,
  );
  const items = await query<Piece & { checklistId: bigint }>(
    sql`SELECT id, "checklistId" FROM checklist_items
      WHERE "checklistId" = ANY(${lists.map(({ id }) => id)}::bigint[]) AND "deletedAt" IS NULL`,
  );
  checkCount(limits, "checklists", lists.length);
  for (const { id } of lists) {
    const held = items.filter(({ checklistId }) => checklistId === id);
    checkCount(limits, "checklist_items", held.length);
  }
  const made = [card.id, card.createdById, now];
  await query(insertChecklists, [...named(lists), ...made]);
  await query(insertItems, [...named(items), ...made]);
}

/** Puts the comments of one card on another that is new, with their authors and times. */
export async function copyComments(
  { query }: UnitOfWork,
  sourceId: bigint,
  card: Card,
): Promise<void> {
  const comments = await query<Piece>(
    sql`SELECT id FROM comments WHERE "cardId" = ${sourceId} AND "deletedAt" IS NULL ORDER BY id`,
  );
  await query(insertComments, [...named(comments), card.id]);
}
