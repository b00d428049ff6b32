import type { BoardView } from "@workspace-board-service/client/store";
import type { Target } from "./types.ts";

/** The position of a card: its list, and its index among the other cards of it. */
export type CardPosition = { list: number; index: number };

/** Where a card is. */
export function positionOf({ lists }: BoardView, card: string): CardPosition | undefined {
  for (const [list, { cards }] of lists.entries()) {
    const index = cards.findIndex(({ publicId }) => publicId === card);
    if (index >= 0) return { list, index };
  }
  return undefined;
}

const othersIn = ({ lists }: BoardView, card: string, list: number) =>
  lists[list]?.cards.filter(({ publicId }) => publicId !== card) ?? [];

/** Where an arrow key moves a card; at an edge it stays. */
export function moved(
  board: BoardView,
  card: string,
  { list, index }: CardPosition,
  key: string,
): CardPosition {
  if (key === "ArrowUp") return { list, index: Math.max(0, index - 1) };
  if (key === "ArrowDown") {
    return { list, index: Math.min(othersIn(board, card, list).length, index + 1) };
  }
  const next = list + (key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0);
  if (board.lists[next] === undefined) return { list, index };
  return { list: next, index: Math.min(index, othersIn(board, card, next).length) };
}

/** The move that brings a card to a position; before itself it stays where it is. */
export function targetAt(board: BoardView, card: string, { list, index }: CardPosition): Target {
  const publicId = board.lists[list]?.publicId ?? "";
  const now = positionOf(board, card);
  if (now?.list === list && now.index === index) return { list: publicId, before: card };
  return { list: publicId, before: othersIn(board, card, list)[index]?.publicId };
}

/** A position as it is said. */
export function sentenceOf(board: BoardView, card: string, { list, index }: CardPosition): string {
  const size = othersIn(board, card, list).length + 1;
  return `Position ${index + 1} of ${size} in ${board.lists[list]?.name}.`;
}
