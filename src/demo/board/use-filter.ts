import { useMemo, useState } from "react";
import { useFilteredCards, type BoardOptions } from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import { treeOf, type Filter } from "./filter-parts.ts";

const all: Filter = {};
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** The filter of a board, and as an option of `useBoard`. */
export function useFilter(id: string, board: BoardView | undefined) {
  const [filter, setFilter] = useState(all);
  const tree = useMemo(() => board && treeOf(filter, board), [filter, board]);
  const { cards } = useFilteredCards(id, tree, { timeZone });
  const options = useMemo((): BoardOptions => {
    const ids = new Set(cards.map(({ publicId }) => publicId));
    return tree === undefined ? {} : { filter: ({ publicId }) => ids.has(publicId) };
  }, [tree, cards]);
  const change = (key: string, chosen: readonly string[]) => {
    const others = Object.entries(filter).filter(([name]) => name !== key);
    setFilter(Object.fromEntries(chosen.length === 0 ? others : [...others, [key, chosen]]));
  };
  return { filter, change, clear: () => setFilter(all), options, tree };
}
