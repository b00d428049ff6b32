import type { BoardEvent, EventType, Inputs } from "../router.ts";
import { cardActions, type CardActions } from "./card-actions.ts";
import {
  checklistActions,
  commentActions,
  type ChecklistActions,
  type CommentActions,
} from "./detail-actions.ts";
import {
  fieldActions,
  labelActions,
  listActions,
  type FieldActions,
  type LabelActions,
  type ListActions,
} from "./board-actions.ts";
import type { ConnectionState } from "./connection.ts";
import type { BoardCopy } from "./copy.ts";
import { readyOf } from "./ready.ts";
import type { BoardState, BoardView, EventOf, Stop } from "./types.ts";
import type { Send, Write } from "./writes.ts";

/** What a board needs of its store. */
export type BoardHost = {
  copy: BoardCopy;
  send: Send;
  open: () => Stop;
  /** Resolves when the board was read after the call. */
  read: () => Promise<void>;
  /** Resolves when it is known who asks in a workspace, or cannot be. */
  asker: (workspacePublicId: string) => Promise<void>;
  connection: ConnectionState;
  on: (type: EventType, listener: (event: BoardEvent) => void) => Stop;
};

/** A board: its state, and the changes that can be made to it. */
export type BoardStore = {
  /** The public id of the board. */
  readonly publicId: string;
  /** Loads the board and follows it until the returned function is called. */
  readonly open: () => Stop;
  /** The state now: the same object until it changes. */
  readonly get: () => BoardState;
  /** The state that a server has rendered. */
  readonly getRendered: () => BoardState;
  /** Opens the board, and calls a function when it changes, until the returned one is called. */
  readonly subscribe: (listener: () => void) => Stop;
  /** Resolves with the board as it is now, or offline as it is stored. Rejects when it cannot be seen. */
  readonly ready: () => Promise<BoardView>;
  /** Calls a function when a selected value changes; `isEqual` is `Object.is` without another. */
  readonly select: <Value>(
    selector: (state: BoardState) => Value,
    listener: (value: Value) => void,
    isEqual?: (one: Value, other: Value) => boolean,
  ) => Stop;
  /** Calls a function for each event of a type. */
  readonly on: <Type extends EventType>(
    type: Type,
    listener: (event: EventOf<Type>) => void,
  ) => Stop;
  /** The changes of its cards. */
  readonly cards: CardActions;
  /** The changes of its lists. */
  readonly lists: ListActions;
  /** The changes of its labels. */
  readonly labels: LabelActions;
  /** The changes of its custom fields; `cards.update` sets their values. */
  readonly fields: FieldActions;
  /** The changes of the comments of its cards. */
  readonly comments: CommentActions;
  /** The changes of the checklists of its cards. */
  readonly checklists: ChecklistActions;
  /** Changes the given fields of the board. */
  readonly update: (changes: Omit<Inputs["board"]["update"], "boardPublicId">) => Write;
  /** Undoes the last move of this tab; undefined when there is nothing to undo. */
  readonly undo: () => Write | undefined;
};

/** How many moves can be undone. */
const maxUndo = 50;

/** The moves of this tab that can be undone. */
function undoableMoves() {
  const moves: Write[] = [];
  let isUndoing = false;
  const drop = (move: Write) => {
    const at = moves.indexOf(move);
    if (at >= 0) moves.splice(at, 1);
  };
  return {
    /** Undoes the last move. */
    undo: () => moves.at(-1)?.undo?.(),
    /** Records a move. Undoing is no move that can be undone. */
    recordMove: ({ undo, ...write }: Write): Write => {
      if (isUndoing || undo === undefined) return write;
      const move: Write = {
        ...write,
        undo() {
          drop(move);
          isUndoing = true;
          try {
            return undo();
          } finally {
            isUndoing = false;
          }
        },
      };
      moves.push(move);
      // A move that was refused is rolled back: there is nothing to undo.
      write.done.catch(() => drop(move));
      if (moves.length > maxUndo) moves.shift();
      return move;
    },
  };
}

/** A board: its state, and the changes that can be made to it. */
export function boardStore({
  copy,
  send,
  open,
  read,
  asker,
  connection,
  on,
}: BoardHost): BoardStore {
  const { publicId } = copy;
  const view = () => copy.state.board;
  const { undo, recordMove } = undoableMoves();
  const getState = () => copy.state;
  const subscribe = (listener: () => void): Stop => {
    const [close, stop] = [open(), copy.subscribe(listener)];
    return () => {
      stop();
      close();
    };
  };
  return {
    publicId,
    open,
    get: getState,
    getRendered: () => copy.rendered,
    subscribe,
    cards: cardActions(send, view, recordMove),
    lists: listActions(send, publicId, view, recordMove),
    labels: labelActions(send, publicId, view),
    fields: fieldActions(send, publicId),
    comments: commentActions(send),
    checklists: checklistActions(send),
    undo,
    ready: () =>
      readyOf(
        { get: getState, subscribe, reload: read, reading: () => copy.reading },
        ({ board }) => board,
        connection,
      ).then(async (board) => {
        await asker(board.workspacePublicId);
        return board;
      }),
    select(selector, listener, isEqual = Object.is) {
      let last = selector(getState());
      return subscribe(() => {
        const value = selector(getState());
        if (isEqual(last, value)) return;
        last = value;
        listener(value);
      });
    },
    on: (type, listener) =>
      on(type, (event) => {
        if (event.boardPublicId === publicId) (listener as (event: BoardEvent) => void)(event);
      }),
    update: (changes) =>
      send("board.update", { ...changes, boardPublicId: publicId }, { publicId }),
  };
}
