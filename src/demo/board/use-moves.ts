import { useEffect, type KeyboardEvent } from "react";
import type { BoardStore, BoardView, Write } from "@workspace-board-service/client/store";
import type { Notify } from "../components/use-notice.ts";
import type { Target } from "../base/types.ts";

/** Moves of cards by pointer and keyboard; a notice offers to undo the last one. */
export function useMoves(
  board: BoardView | undefined,
  cards: BoardStore["cards"],
  undo: () => Write | undefined,
  notify: Notify,
) {
  const move = (card: string, { list, before }: Target) => {
    cards.move(card, { list, ...(before === undefined ? {} : { before }) });
    const name = board?.lists.find(({ publicId }) => publicId === list)?.name;
    notify({ text: `Moved to ${name}.`, run: undo });
  };

  /** Alt and an arrow key move the focused card. */
  const moveByKey = (card: string, event: KeyboardEvent) => {
    const target = event.altKey ? targetOf(board, card, event.key) : undefined;
    if (target === undefined) return;
    event.preventDefault();
    move(card, target);
    // The card has a new element in its new list.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`#card-${card}`)?.focus());
  };

  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isText = event.target instanceof Element && event.target.matches("input, textarea");
      if (isText || !(event.ctrlKey || event.metaKey) || event.key !== "z") return;
      event.preventDefault();
      if (undo() !== undefined) notify({ text: "Moved back." });
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [undo, notify]);

  return { move, moveByKey };
}

/** Where an arrow key moves a card. */
function targetOf(board: BoardView | undefined, card: string, key: string): Target | undefined {
  const lists = board?.lists ?? [];
  const from = lists.findIndex(({ cards }) => cards.some(({ publicId }) => publicId === card));
  const list = lists[from];
  if (list === undefined) return undefined;
  const index = list.cards.findIndex(({ publicId }) => publicId === card);
  if (key === "ArrowUp" && index > 0) {
    return { list: list.publicId, before: list.cards[index - 1]?.publicId };
  }
  if (key === "ArrowDown" && index < list.cards.length - 1) {
    return { list: list.publicId, before: list.cards[index + 2]?.publicId };
  }
  const next =
    key === "ArrowLeft" ? lists[from - 1] : key === "ArrowRight" ? lists[from + 1] : undefined;
  return next && { list: next.publicId, before: next.cards[index]?.publicId };
}
