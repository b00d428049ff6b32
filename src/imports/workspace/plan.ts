import type { Items } from "../../exports/format.ts";

type Card = Items["cards"];

/** A card, or (`isMore`) more of what was said and done on one that is there. */
export type Portion = Card & { isMore: boolean; eventsBefore: number };

/** How much one transaction takes, in rows and thousands of characters. */
export const heaviest = 2_000;

/** How much work a card is. */
export const weightOf = (card: Card): number =>
  1 +
  (card.description?.length ?? 0) / 1_000 +
  card.labelPublicIds.length +
  card.memberPublicIds.length +
  card.attachments.length +
  card.checklists.reduce((sum, { items }) => sum + 1 + items.length, 0) +
  card.comments.reduce((sum, { comment }) => sum + 1 + comment.length / 1_000, 0) +
  card.activity.length * 2;

/** How many comments and how many events of a card go together. */
const mostTold = 1_000;

/** A card in portions of which each fits into a transaction: with all that hangs on it, but for comments and events beyond so many. */
export function portionsOf(card: Card): Portion[] {
  const { comments, activity } = card;
  const count = Math.max(1, Math.ceil(Math.max(comments.length, activity.length) / mostTold));
  return Array.from({ length: count }, (_, nth): Portion => {
    const [from, to] = [nth * mostTold, (nth + 1) * mostTold];
    const part = { comments: comments.slice(from, to), activity: activity.slice(from, to) };
    const rest = nth === 0 ? {} : { checklists: [], attachments: [] };
    return { ...card, ...part, ...rest, isMore: nth > 0, eventsBefore: from };
  });
}
