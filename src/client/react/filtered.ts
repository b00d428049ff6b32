import { useMemo, useRef } from "react";
import { BoardServiceError } from "../errors.ts";
import { askerOf } from "../store/askers.ts";
import type { BoardState, BoardView, CardView, Filter, FilterOptions } from "../store/index.ts";
import { structuralShare } from "../store/structural-sharing.ts";
import type { Offline } from "./resource.ts";

type State = BoardState | Offline<BoardState>;
/** What a filter selects of a board that is shown; `invalid`: the board cannot be filtered so. */
export type Filtered<Value> =
  | { status: "loading" | "offline"; value: undefined; error: undefined }
  | { status: "ready"; value: Value; error: undefined }
  | { status: "denied" | "invalid"; value: undefined; error: BoardServiceError };

type CardFilter = Filter | ((card: CardView) => boolean) | undefined;

/** What a filter selects of a board; the same object until it changes. */
export function useFiltered<Value, Input extends CardFilter>(
  { status, board, error }: State,
  filter: Input | undefined,
  options: FilterOptions,
  select: (board: BoardView, filter: Input | undefined, options: FilterOptions) => Value,
): Filtered<Value> {
  const last = useRef<Value | undefined>(undefined);
  // The caller of the store is known later than the board.
  const asker = board && askerOf(board);
  const test = typeof filter === "function" ? filter : undefined;
  // Both are compared by their content: they may be written in the call.
  const content = JSON.stringify({ ...options, filter: test === undefined ? filter : undefined });
  return useMemo((): Filtered<Value> => {
    if (status === "denied") return { status, value: undefined, error };
    if (status !== "ready") return { status, value: undefined, error: undefined };
    const { filter: tree, ...parsed } = JSON.parse(content) as FilterOptions & { filter?: Input };
    try {
      const value = structuralShare(last.current, select(board, test ?? tree, parsed));
      last.current = value;
      return { status, value, error: undefined };
    } catch (problem) {
      if (!(problem instanceof BoardServiceError)) throw problem;
      return { status: "invalid", value: undefined, error: problem };
    }
  }, [status, board, error, asker, test, content, select]);
}
