import { useMemo, useRef, useSyncExternalStore } from "react";
import type { BoardState, BoardStore, BoardView } from "../store/index.ts";
import { filterBoard, type CardFilter } from "./filter.ts";
import { useStore } from "./provider.ts";
import { useShown, type Offline } from "./shown.ts";

type Actions = Pick<
  BoardStore,
  "cards" | "lists" | "labels" | "fields" | "comments" | "checklists" | "update" | "undo" | "on"
>;

/** The state of a board, and the changes that can be made to it. */
export type BoardHook = (BoardState | Offline<BoardState>) & Actions;

/** The options of `useBoard`. */
export type BoardOptions = {
  /** Which cards to show; by default all. */
  filter?: CardFilter;
};

/** Opens a board while the component is mounted. */
export function useBoard(boardPublicId: string, { filter }: BoardOptions = {}): BoardHook {
  const store = useStore().board(boardPublicId);
  const state = useShown<BoardState>(store);
  const select = typeof filter === "function" ? filter : undefined;
  // An object is compared by its content: it may be written in the call.
  const content = typeof filter === "object" ? JSON.stringify(filter) : undefined;
  const filtered = useMemo((): BoardState | Offline<BoardState> => {
    const currentFilter = content === undefined ? select : (JSON.parse(content) as CardFilter);
    if (currentFilter === undefined || state.status !== "ready") return state;
    return { ...state, board: filterBoard(state.board, currentFilter) };
  }, [state, select, content]);
  return useMemo(() => {
    const { cards, lists, labels, fields, comments, checklists, update, undo, on } = store;
    return { ...filtered, cards, lists, labels, fields, comments, checklists, update, undo, on };
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
