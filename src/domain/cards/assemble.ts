import type { z } from "zod";
import type { CardSummary } from "../../contract/resources/cards.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/fields.ts";

type Summary = z.infer<typeof CardSummary>;
/** A card as it is read for a list of cards. */
export type CardListRow = {
  id: bigint;
  publicId: string;
  listPublicId: string;
  number: number;
  prefix: string;
  title: string;
  hasDescription: boolean;
  startDate: Date | null;
  dueDate: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  completedAt: Date | null;
  archivedAt: Date | null;
  index: bigint | null;
};
/** A label or member of a card, or a count. */
export type Relation = {
  cardId: bigint;
  kind: "label" | "member" | "items" | "comments" | "attachments";
  publicId: string | null;
  name: string | null;
  extra: string | null;
  total: bigint;
  done: bigint;
};

/** Combines cards with their relations. */
export function assemble(rows: CardListRow[], related: Relation[]): Summary[] {
  const cards = new Map(rows.map((row) => [row.id, summaryOf(row)]));
  for (const relation of related) attach(cards.get(relation.cardId), relation);
  return [...cards.values()];
}

const summaryOf = (row: CardListRow): Summary => ({
  publicId: row.publicId,
  cardNumber: `${row.prefix}-${row.number}`,
  title: row.title,
  hasDescription: row.hasDescription,
  startDate: isoOrNull(row.startDate),
  dueDate: isoOrNull(row.dueDate),
  isComplete: row.completedAt !== null,
  isArchived: row.archivedAt !== null,
  index: row.index === null ? null : Number(row.index),
  listPublicId: row.listPublicId,
  labels: [],
  members: [],
  checklistItems: { total: 0, completed: 0 },
  commentCount: 0,
  attachmentCount: 0,
  version: row.version,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});

function attach(card: Summary | undefined, relation: Relation) {
  if (card === undefined) return;
  const { kind, publicId, name, extra, total, done } = relation;
  if (kind === "items") card.checklistItems = { total: Number(total), completed: Number(done) };
  else if (kind === "comments") card.commentCount = Number(total);
  else if (kind === "attachments") card.attachmentCount = Number(total);
  else if (publicId !== null && name !== null) {
    if (kind === "label") card.labels.push({ publicId, name, colourCode: extra });
    else card.members.push({ publicId, name, image: extra });
  }
}
