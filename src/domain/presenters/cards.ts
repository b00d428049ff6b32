import type { Card as CardRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import { cardFields } from "../../contract/fields/card.ts";
import type { CardInfo, CardName } from "../../contract/resources/cards.ts";
import { showAll } from "../declared-fields.ts";

/** Shows a card; `prefix` is the card prefix of its workspace. */
export const showCard: (card: CardRow, prefix: string) => z.infer<typeof CardInfo> =
  showAll(cardFields);

/** The name of a card, as events show it. */
export const cardName = (
  card: Pick<CardRow, "publicId" | "title" | "number">,
  { cardPrefix }: { cardPrefix: string },
): z.infer<typeof CardName> => ({
  publicId: card.publicId,
  title: card.title,
  cardNumber: `${cardPrefix}-${card.number}`,
});
