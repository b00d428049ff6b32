import { useCallback, useMemo } from "react";
import { useFilteredCards, type BoardOptions } from "@workspace-board-service/client/react";
import type { BoardView } from "@workspace-board-service/client/store";
import { replaceQuery, useRoute } from "../base/route.ts";
import { treeOf, type Chosen } from "./filter-parts.ts";

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** What the address says is chosen, as in `?labels=ID&labels=ID&text=gam`. */
function chosenIn(query: string): Chosen {
  const given = new URLSearchParams(query);
  return Object.fromEntries([...new Set(given.keys())].map((key) => [key, given.getAll(key)]));
}

function write(chosen: Chosen): void {
  const entries = Object.entries(chosen);
  const pairs = entries.flatMap(([key, values]) => values.map((value) => [key, value]));
  replaceQuery(new URLSearchParams(pairs).toString());
}

/** The filter of a board, which the address has, and as an option of `useBoard`. */
export function useFilter(id: string, board: BoardView | undefined) {
  const { query } = useRoute();
  const chosen = useMemo(() => chosenIn(query), [query]);
  const tree = useMemo(() => board && treeOf(chosen, board), [chosen, board]);
  const { cards } = useFilteredCards(id, tree, { timeZone });
  const options = useMemo((): BoardOptions => {
    const ids = new Set(cards.map(({ publicId }) => publicId));
    return tree === undefined ? {} : { filter: ({ publicId }) => ids.has(publicId) };
  }, [tree, cards]);
  const change = (key: string, next: readonly string[]) => {
    const others = Object.entries(chosen).filter(([name]) => name !== key);
    write(Object.fromEntries(next.length === 0 ? others : [...others, [key, next]]));
  };
  const clear = useCallback(() => write({}), []);
  return { chosen, change, clear, tree, options };
}

/** The filter of a board: what is chosen, and the tree of conditions that it makes. */
export type Filter = ReturnType<typeof useFilter>;
