import { useCallback, useMemo } from "react";
import type { BoardView } from "@workspace-board-service/client/store";
import { replaceQuery, useRoute } from "../base/route.ts";
import { treeOf, type Chosen } from "./filter-parts.ts";

/** What the address says is chosen, as in `?labels=ID&labels=ID&text=gam`. */
function chosenIn(query: string): Chosen {
  const input = new URLSearchParams(query);
  return Object.fromEntries([...new Set(input.keys())].map((key) => [key, input.getAll(key)]));
}

function write(chosen: Chosen): void {
  const entries = Object.entries(chosen);
  const pairs = entries.flatMap(([key, values]) => values.map((value) => [key, value]));
  replaceQuery(new URLSearchParams(pairs).toString());
}

/** The filter of a board, which the address has. */
export function useFilter(board: BoardView | undefined) {
  const { query } = useRoute();
  const chosen = useMemo(() => chosenIn(query), [query]);
  const tree = useMemo(() => board && treeOf(chosen, board), [chosen, board]);
  const change = (key: string, next: readonly string[]) => {
    const others = Object.entries(chosen).filter(([name]) => name !== key);
    write(Object.fromEntries(next.length === 0 ? others : [...others, [key, next]]));
  };
  const clear = useCallback(() => write({}), []);
  return { chosen, change, clear, tree };
}

/** The filter of a board: what is chosen, and the tree of conditions that it makes. */
export type Filter = ReturnType<typeof useFilter>;
