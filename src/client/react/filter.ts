import type { BoardView, CardView } from "../store/index.ts";
import { isDue, type Calendar, type Due } from "./due.ts";

/** Which cards to show: those that a function selects, or that have all given properties. */
export type CardFilter =
  | ((card: CardView) => boolean)
  | (Calendar & {
      /** Part of the title or of the card number. */
      text?: string;
      /** At least one of these labels. */
      labels?: readonly string[];
      /** At least one of these members. */
      members?: readonly string[];
      /** Whether they are complete. */
      isComplete?: boolean;
      /**
       * Due in this period, as the filter `due` of `board.cards`: give it the `timeZone` of the
       * user or else of the workspace, and the `weekStartDay` of the workspace. By default days
       * are those of UTC, and weeks begin on Monday.
       */
      due?: Due;
    });

const hasOne = (items: { publicId: string }[], ids: readonly string[]) =>
  ids.length === 0 || items.some(({ publicId }) => ids.includes(publicId));

function passes(card: CardView, filter: CardFilter, now: number): boolean {
  if (typeof filter === "function") return filter(card);
  const { text = "", labels = [], members = [], isComplete, due } = filter;
  const found = `${card.cardNumber} ${card.title}`.toLowerCase().includes(text.toLowerCase());
  if (!found || !hasOne(card.labels, labels) || !hasOne(card.members, members)) return false;
  if (isComplete !== undefined && card.isComplete !== isComplete) return false;
  return due === undefined || isDue(card, due, filter, now);
}

/** A board with the cards that pass. Lists whose cards all pass stay the same objects. */
export function filterBoard(
  board: BoardView,
  filter: CardFilter,
  now: number = Date.now(),
): BoardView {
  const lists = board.lists.map((list) => {
    const cards = list.cards.filter((card) => passes(card, filter, now));
    return cards.length === list.cards.length ? list : { ...list, cards };
  });
  return { ...board, lists };
}
