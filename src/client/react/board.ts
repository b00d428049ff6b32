import { useMemo, useRef, useSyncExternalStore } from "react";
import type { BoardServiceError } from "../errors.ts";
import {
  filterBoard,
  type BoardState,
  type BoardStore,
  type BoardView,
  type CardView,
  type Filter,
  type FilterOptions,
} from "../store/index.ts";
import { useFiltered } from "./filtered.ts";
import { useStore } from "./provider.ts";
import { useResource, type Offline } from "./resource.ts";

type Actions = Pick<
  BoardStore,
  "cards" | "lists" | "labels" | "fields" | "comments" | "checklists" | "update" | "undo" | "on"
>;

/** A board that cannot be filtered so: `error` says why. */
type Invalid = {
  readonly status: "invalid";
  readonly board: undefined;
  readonly error: BoardServiceError;
};

/** The state of a board, and the changes that can be made to it. */
export type BoardHook = (BoardState | Offline<BoardState> | Invalid) & Actions;

/** The options of `useBoard`. */
export type BoardOptions = Omit<FilterOptions, "sortBy"> & {
  /** Which cards to show, in their lists: a filter of the service, or a function; by default all. */
  filter?: Filter | ((card: CardView) => boolean) | undefined;
};

/** Opens a board while the component is mounted. */
export function useBoard(boardPublicId: string, options: BoardOptions = {}): BoardHook {
  const store = useStore().board(boardPublicId);
  const state = useResource<BoardState>(store);
  const filtered = useFiltered(state, options.filter, options, filterBoard);
  return useMemo(() => {
    const { cards, lists, labels, fields, comments, checklists, update, undo, on } = store;
    const { status, value: board, error } = filtered;
    const shown = { status, board, error } as BoardState | Offline<BoardState> | Invalid;
    return { ...shown, cards, lists, labels, fields, comments, checklists, update, undo, on };
  }, [filtered, store]);
}

/** A value of a board. The component renders again only when the value changes. */
export function useBoardValue<Value>(
  boardPublicId: string,
  selector: (board: BoardView | undefined) => Value,
  isEqual: (one: Value, other: Value) => boolean = Object.is,
): Value {
  const store = useStore().board(boardPublicId);
  const last = useRef<{ value: Value } | undefined>(undefined);
  const [get, getRendered] = useMemo(() => {
    const select = (readState: () => BoardState) => {
      let lastState: BoardState | undefined;
      let value: Value;
      return () => {
        const state = readState();
        // React reads again until the value is the same: the selector runs once for a state.
        if (state === lastState) return value;
        const next = selector(state.board);
        const lastSelected = last.current;
        value =
          lastSelected !== undefined && isEqual(lastSelected.value, next)
            ? lastSelected.value
            : next;
        last.current = { value };
        lastState = state;
        return value;
      };
    };
    return [select(store.get), select(store.getRendered)];
  }, [store, selector, isEqual]);
  return useSyncExternalStore(store.subscribe, get, getRendered);
}
