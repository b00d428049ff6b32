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
  sources: CardSources,
) {
  if (selection.withLabels) await tx.query(insertLabels(sourceId, card.id, tx.now));
  if (selection.withMembers) await tx.query(insertMembers(sourceId, card.id, tx.now));
  if (selection.withChecklists) await copyChecklists(tx, sources, card);
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
const rowsOf = (table: string, rows: Source[]) => sql`
  FROM unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(() => publicId())}::text[])
    WITH ORDINALITY AS new(id, "publicId", nth)
  JOIN ${sql.identifier(table)} old ON old.id = new.id`;
const insertChecklists = (rows: Source[], card: Card, now: Date) => sql`
  INSERT INTO checklists ("publicId", "workspaceId", "cardId", name, position, "createdById",
    "createdAt", "updatedAt")
  SELECT new."publicId", old."workspaceId", ${card.id}::bigint, old.name, old.position,
    ${card.createdById}::bigint, ${now}::timestamptz, ${now}::timestamptz
  ${rowsOf("checklists", rows)}`;
// Positions are unique within a card, so they match a copied checklist to its source.
const insertItems = (rows: Source[], card: Card, now: Date) => sql`
  INSERT INTO checklist_items ("publicId", "workspaceId", "checklistId", title, position,
    "memberId", "dueDate", "createdById", "createdAt", "updatedAt")
  SELECT new."publicId", old."workspaceId", copy.id, old.title, old.position, old."memberId",
    old."dueDate", ${card.createdById}::bigint, ${now}::timestamptz, ${now}::timestamptz
  ${rowsOf("checklist_items", rows)}
  JOIN checklists list ON list.id = old."checklistId"
  JOIN checklists copy ON copy."cardId" = ${card.id} AND copy.position = list.position`;
const insertComments = (rows: Source[], card: Card) => sql`
  INSERT INTO comments ("publicId", "workspaceId", "cardId", comment, "createdById",
    "authorName", "importSource", "importAuthorId", version, "createdAt", "updatedAt")
  SELECT new."publicId", old."workspaceId", ${card.id}::bigint, old.comment, old."createdById",
    old."authorName", old."importSource", old."importAuthorId", old.version,
    old."createdAt", old."updatedAt"
  ${rowsOf("comments", rows)}
  ORDER BY new.nth`;

type Source = { id: bigint; bytes: number };

/** What a copy of a card takes from it. */
export type CardSources = { checklists: Source[]; items: Source[]; comments: Source[] };

/** Reads what a copy of a card takes from it, and counts it: 409 or 429 beyond a limit. */
export async function readSources(
  tx: UnitOfWork,
  { id, title, description }: Pick<Card, "id" | "title" | "description">,
  selection: Pick<Selection, "withChecklists"> & { withComments: boolean },
): Promise<CardSources> {
  const checklists = selection.withChecklists ? await tx.query<Source>(liveChecklists(id)) : [];
  const items = await tx.query<Source & { checklistId: bigint }>(
    liveItems(checklists.map((checklist) => checklist.id)),
  );
  const comments = selection.withComments ? await tx.query<Source>(liveComments(id)) : [];
  const card = { bytes: Buffer.byteLength(title + (description ?? "")) };
  await tx.copied.add([card, ...checklists, ...items, ...comments]);
  checkCount(tx.limits, "checklists", checklists.length);
  for (const checklist of checklists) {
    const own = items.filter(({ checklistId }) => checklistId === checklist.id);
    checkCount(tx.limits, "checklist_items", own.length);
  }
  return { checklists, items, comments };
}

const liveChecklists = (cardId: bigint) => sql`
  SELECT id, octet_length(name) AS bytes FROM checklists
  WHERE "cardId" = ${cardId} AND "deletedAt" IS NULL`;
const liveItems = (checklistIds: bigint[]) => sql`
  SELECT id, "checklistId", octet_length(title) AS bytes FROM checklist_items
  WHERE "checklistId" = ANY(${checklistIds}::bigint[]) AND "deletedAt" IS NULL`;
const liveComments = (cardId: bigint) => sql`
  SELECT id, octet_length(comment) AS bytes FROM comments
  WHERE "cardId" = ${cardId} AND "deletedAt" IS NULL ORDER BY id LIMIT ${mostCopied + 1}`;

async function copyChecklists(tx: UnitOfWork, { checklists, items }: CardSources, card: Card) {
  if (checklists.length === 0) return;
  await tx.query(insertChecklists(checklists, card, tx.now));
  await tx.query(insertItems(items, card, tx.now));
}

/** Copies the comments of a card to a new card, with their authors and times. */
export async function copyComments(tx: UnitOfWork, { comments }: CardSources, card: Card) {
  if (comments.length > 0) await tx.query(insertComments(comments, card));
}
