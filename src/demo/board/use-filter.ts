import { useMemo, useState } from "react";
import { useFilteredCards, type BoardOptions } from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import { treeOf, type Chosen } from "./filter-parts.ts";

const all: Chosen = {};
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** The filter of a board, and as an option of `useBoard`. */
export function useFilter(id: string, board: BoardView | undefined) {
  const [chosen, setChosen] = useState(all);
  const tree = useMemo(() => board && treeOf(chosen, board), [chosen, board]);
  const { cards } = useFilteredCards(id, tree, { timeZone });
  const options = useMemo((): BoardOptions => {
    const ids = new Set(cards.map(({ publicId }) => publicId));
    return tree === undefined ? {} : { filter: ({ publicId }) => ids.has(publicId) };
  }, [tree, cards]);
  const change = (key: string, next: readonly string[]) => {
    const others = Object.entries(chosen).filter(([name]) => name !== key);
    setChosen(Object.fromEntries(next.length === 0 ? others : [...others, [key, next]]));
  };
  return { chosen, change, clear: () => setChosen(all), tree, options };
}

/** The filter of a board: what is chosen, and the tree of conditions that it makes. */
export type Filter = ReturnType<typeof useFilter>;
