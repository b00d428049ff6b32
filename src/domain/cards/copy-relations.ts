import { publicId } from "../../platform/db/public-id.ts";
import { checkCount } from "../../kernel/limits.ts";
import type { Card } from "../../platform/db/rows.ts";
import { mostCopied } from "../../kernel/events/copied-rows.ts";
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
  if (selection.withLabels) await tx.query(insertLabels(sourceId, card.id, tx.now));
  if (selection.withMembers) await tx.query(insertMembers(sourceId, card.id, tx.now));
  if (selection.withChecklists) await copyChecklists(tx, sourceId, card);
}

const insertLabels = (sourceId: bigint, cardId: bigint, now: Date) => sql`
  INSERT INTO card_labels ("cardId", "labelId", "workspaceId", "createdAt")
  SELECT ${cardId}::bigint, "labelId", "workspaceId", ${now}::timestamptz
  FROM card_labels WHERE "cardId" = ${sourceId}`;
const insertMembers = (sourceId: bigint, cardId: bigint, now: Date) => sql`
  INSERT INTO card_members ("cardId", "memberId", "workspaceId", "createdAt")
  SELECT ${cardId}::bigint, cm."memberId", cm."workspaceId", ${now}::timestamptz
  FROM card_members cm JOIN members m ON m.id = cm."memberId" AND m.status <> 'removed'
  WHERE cm."cardId" = ${sourceId}`;

/** SQL: rows of a table as `old`, with `new`: public ids for their copies, and their order. */
// One array per column: Prisma's createMany takes 30 s for tens of thousands of rows.
const sources = (table: string, rows: Source[]) => sql`
  FROM unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(() => publicId())}::text[])
    WITH ORDINALITY AS new(id, "publicId", nth)
  JOIN ${sql.identifier(table)} old ON old.id = new.id`;
const insertChecklists = (rows: Source[], card: Card, now: Date) => sql`
  INSERT INTO checklists ("publicId", "workspaceId", "cardId", name, position, "createdById",
    "createdAt", "updatedAt")
  SELECT new."publicId", old."workspaceId", ${card.id}::bigint, old.name, old.position,
    ${card.createdById}::bigint, ${now}::timestamptz, ${now}::timestamptz
  ${sources("checklists", rows)}`;
// Positions are unique within a card, so they match a copied checklist to its source.
const insertItems = (rows: Source[], card: Card, now: Date) => sql`
  INSERT INTO checklist_items ("publicId", "workspaceId", "checklistId", title, position,
    "memberId", "dueDate", "createdById", "createdAt", "updatedAt")
  SELECT new."publicId", old."workspaceId", copy.id, old.title, old.position, old."memberId",
    old."dueDate", ${card.createdById}::bigint, ${now}::timestamptz, ${now}::timestamptz
  ${sources("checklist_items", rows)}
  JOIN checklists list ON list.id = old."checklistId"
  JOIN checklists copy ON copy."cardId" = ${card.id} AND copy.position = list.position`;
const insertComments = (rows: Source[], card: Card) => sql`
  INSERT INTO comments ("publicId", "workspaceId", "cardId", comment, "createdById",
    "authorName", "importSource", "importAuthorId", version, "createdAt", "updatedAt")
  SELECT new."publicId", old."workspaceId", ${card.id}::bigint, old.comment, old."createdById",
    old."authorName", old."importSource", old."importAuthorId", old.version,
    old."createdAt", old."updatedAt"
  ${sources("comments", rows)}
  ORDER BY new.nth`;

type Source = { id: bigint; bytes: number };

async function copyChecklists(tx: UnitOfWork, sourceId: bigint, card: Card) {
  const { query, limits, now } = tx;
  const checklists = await query<Source>(
    sql`SELECT id, octet_length(name) AS bytes FROM checklists
      WHERE "cardId" = ${sourceId} AND "deletedAt" IS NULL`,
  );
  const items = await query<Source & { checklistId: bigint }>(
    sql`SELECT id, "checklistId", octet_length(title) AS bytes FROM checklist_items
     WHERE "checklistId" = ANY(${checklists.map(({ id }) => id)}::bigint[])
     AND "deletedAt" IS NULL`,
  );
  tx.copied.add([...checklists, ...items]);
  checkCount(limits, "checklists", checklists.length);
  for (const { id } of checklists) {
    const own = items.filter(({ checklistId }) => checklistId === id);
    checkCount(limits, "checklist_items", own.length);
  }
  await query(insertChecklists(checklists, card, now));
  await query(insertItems(items, card, now));
}

/** Copies the comments of a card to a new card, with their authors and times. */
export async function copyComments(tx: UnitOfWork, sourceId: bigint, card: Card) {
  const comments = await tx.query<Source>(
    sql`SELECT id, octet_length(comment) AS bytes FROM comments
      WHERE "cardId" = ${sourceId} AND "deletedAt" IS NULL ORDER BY id LIMIT ${mostCopied + 1}`,
  );
  tx.copied.add(comments);
  await tx.query(insertComments(comments, card));
}
