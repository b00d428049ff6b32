import type { BoardView, CardView } from "../store/index.ts";

/** Which cards to show: those that a function selects, or that have all given properties. */
export type CardFilter =
  | ((card: CardView) => boolean)
  | {
      /** Part of the title or of the card number. */
      text?: string;
      /** At least one of these labels. */
      labels?: readonly string[];
      /** At least one of these members. */
      members?: readonly string[];
      isComplete?: boolean;
      /** Overdue, due within seven days, or without a due date. */
      due?: "overdue" | "week" | "none";
    };

const weekMs = 7 * 24 * 60 * 60 * 1000;

function isDue({ dueDate, isComplete }: CardView, due: "overdue" | "week" | "none"): boolean {
  if (dueDate === null || due === "none") return dueDate === null && due === "none";
  const left = Date.parse(dueDate) - Date.now();
  return !isComplete && (due === "overdue" ? left < 0 : left >= 0 && left < weekMs);
}

const hasOne = (items: { publicId: string }[], ids: readonly string[]) =>
  ids.length === 0 || items.some(({ publicId }) => ids.includes(publicId));

function passes(card: CardView, filter: CardFilter): boolean {
  if (typeof filter === "function") return filter(card);
  const { text = "", labels = [], members = [], isComplete, due } = filter;
  const found = `${card.cardNumber} ${card.title}`.toLowerCase().includes(text.toLowerCase());
  if (!found || !hasOne(card.labels, labels) || !hasOne(card.members, members)) return false;
  if (isComplete !== undefined && card.isComplete !== isComplete) return false;
  return due === undefined || isDue(card, due);
}

/** A board with the cards that pass. Lists whose cards all pass stay the same objects. */
export function filterBoard(board: BoardView, filter: CardFilter): BoardView {
  const lists = board.lists.map((list) => {
    const cards = list.cards.filter((card) => passes(card, filter));
    return cards.length === list.cards.length ? list : { ...list, cards };
  });
  return { ...board, lists };
}
