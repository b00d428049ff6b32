import { useMemo } from "react";
import type { BoardServiceError } from "../errors.ts";
import {
  filterCards,
  type BoardState,
  type Filter,
  type FilteredCard,
  type FilterOptions,
} from "../store/index.ts";
import { useFiltered } from "./filtered.ts";
import { useStore } from "./provider.ts";
import { useResource } from "./resource.ts";

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
  const state = useResource<BoardState>(useStore().board(boardPublicId));
  const filtered = useFiltered(state, filter, options, filterCards);
  return useMemo((): FilteredCardsHook => {
    const { status, value: cards = [], error } = filtered;
    return status === "denied" || status === "invalid"
      ? { status, cards: [], error }
      : { status, cards, error: undefined };
  }, [filtered]);
}
