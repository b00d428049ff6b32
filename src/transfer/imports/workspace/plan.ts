import type { Items } from "../../exports/format.ts";

/** How much one transaction takes, in rows and thousands of characters; a card is never divided, so one that is more comes alone. */
export const heaviest = 2_000;

/** How much work a card is. */
export const weightOf = (card: Items["cards"]): number =>
  1 +
  (card.description?.length ?? 0) / 1_000 +
  card.labelPublicIds.length +
  card.memberPublicIds.length +
  card.attachments.length +
  card.checklists.reduce((sum, { items }) => sum + 1 + items.length, 0) +
  card.comments.reduce((sum, { comment }) => sum + 1 + comment.length / 1_000, 0) +
  card.activity.length * 2;
