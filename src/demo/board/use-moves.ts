import { useEffect, type KeyboardEvent } from "react";
import type { BoardStore, BoardView, Write } from "@workspace-board-service/client/store";
import type { Notify } from "../components/use-notice.ts";
import type { Target } from "../base/types.ts";
import { moved, positionOf, targetAt } from "../base/card-position.ts";

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
    if (board === undefined || !event.altKey || !event.key.startsWith("Arrow")) return;
    const from = positionOf(board, card);
    if (from === undefined) return;
    event.preventDefault();
    const target = targetAt(board, card, moved(board, card, from, event.key));
    if (target.before !== card) move(card, target);
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
