import { useMemo, useRef } from "react";
import { BoardServiceError } from "../errors.ts";
import {
  filterCards,
  type BoardState,
  type Filter,
  type FilteredCard,
  type FilterOptions,
} from "../store/index.ts";
import { structuralShare } from "../store/structural-sharing.ts";
import { useStore } from "./provider.ts";
import { useShown } from "./shown.ts";

/** The cards that pass a filter. `invalid`: the board cannot be filtered so; `error` says why. */
export type FilteredCardsHook =
  | {
      /** Whether the cards are those of the board. */
      readonly status: "loading" | "offline" | "ready";
      /** The cards, in order. */
      readonly cards: readonly FilteredCard[];
      /** Why there are none. */
      readonly error: undefined;
    }
  | {
      /** Whether the board cannot be seen, or not be filtered so. */
      readonly status: "denied" | "invalid";
      /** None. */
      readonly cards: readonly FilteredCard[];
      /** Why there are none. */
      readonly error: BoardServiceError;
    };

/** Opens a board, and filters and sorts its cards as `board.queryCards` does, also offline. */
export function useFilteredCards(
  boardPublicId: string,
  filter?: Filter,
  options: FilterOptions = {},
): FilteredCardsHook {
  const { status, board, error } = useShown<BoardState>(useStore().board(boardPublicId));
  const last = useRef<FilteredCard[]>([]);
  // Both are compared by their content: they may be written in the call.
  const content = JSON.stringify({ filter, options });
  return useMemo((): FilteredCardsHook => {
    if (status === "denied") return { status, cards: [], error };
    if (status !== "ready") return { status, cards: [], error: undefined };
    const parsed = JSON.parse(content) as { filter?: Filter; options: FilterOptions };
    try {
      last.current = structuralShare(
        last.current,
        filterCards(board, parsed.filter, parsed.options),
      );
      return { status, cards: last.current, error: undefined };
    } catch (problem) {
      if (!(problem instanceof BoardServiceError)) throw problem;
      return { status: "invalid", cards: [], error: problem };
    }
  }, [status, board, error, content]);
}
