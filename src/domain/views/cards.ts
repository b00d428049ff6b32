import type { Card as CardRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { CardInfo, CardName } from "../../contract/resources/cards.ts";
import { isoOrNull, iso } from "../../contract/vocabulary/fields.ts";

/** The view of a card; `prefix` is the card prefix of its workspace. */
export const viewCard = (card: CardRow, prefix: string): z.infer<typeof CardInfo> => ({
  publicId: card.publicId,
  title: card.title,
  description: card.description,
  dueDate: isoOrNull(card.dueDate),
  cardNumber: `${prefix}-${card.number}`,
  startDate: isoOrNull(card.startDate),
  isComplete: card.completedAt !== null,
  isArchived: card.archivedAt !== null,
  version: card.version,
  createdAt: iso(card.createdAt),
  updatedAt: iso(card.updatedAt),
});

/** The name of a card, as events show it. */
export const cardName = (
  card: Pick<CardRow, "publicId" | "title" | "number">,
  { cardPrefix }: { cardPrefix: string },
): z.infer<typeof CardName> => ({
  publicId: card.publicId,
  title: card.title,
  cardNumber: `${cardPrefix}-${card.number}`,
});
