import type { BoardEvent, Inputs } from "../router.ts";
import { CardActions } from "./card-actions.ts";
import { ChecklistActions, CommentActions } from "./detail-actions.ts";
import { LabelActions, ListActions } from "./board-actions.ts";
import type { BoardCopy } from "./copy.ts";
import type { BoardState, BoardView, EventOf, Stop } from "./types.ts";
import type { Send, Write } from "./writes.ts";

/** What a board needs of its store. */
export type BoardHost = {
  copy: BoardCopy;
  send: Send;
  open: () => Stop;
  on: (type: BoardEvent["type"], listener: (event: BoardEvent) => void) => Stop;
};

/** How many moves can be undone. */
const maxUndo = 50;

/** A board: its state, and the changes that can be made to it. */
export class BoardStore {
  readonly publicId: string;
  /** Loads the board and follows it until the returned function is called. */
  readonly open: () => Stop;
  readonly cards: CardActions;
  readonly lists: ListActions;
  readonly labels: LabelActions;
  readonly comments: CommentActions;
  readonly checklists: ChecklistActions;
  readonly #host: BoardHost;
  /** The moves of this tab that can be undone. */
  readonly #moves: Write[] = [];
  #isUndoing = false;

  constructor(host: BoardHost) {
    const { copy, send, open } = host;
    const view = () => copy.state.board;
    const moved = (write: Write) => this.#noteMove(write);
    this.#host = host;
    this.publicId = copy.publicId;
    this.open = open;
    this.cards = new CardActions(send, view, moved);
    this.lists = new ListActions(send, this.publicId, view, moved);
    this.labels = new LabelActions(send, this.publicId, view);
    this.comments = new CommentActions(send);
    this.checklists = new ChecklistActions(send);
  }

  /** The state now: the same object until it changes. */
  readonly get = (): BoardState => this.#host.copy.state;

  /** Opens the board, and calls a function when it changes, until the returned one is called. */
  readonly subscribe = (listener: () => void): Stop => {
    const [close, stop] = [this.open(), this.#host.copy.subscribe(listener)];
    return () => {
      stop();
      close();
    };
  };

  /** Resolves when the board is loaded. Rejects when it cannot be seen. */
  readonly ready = (): Promise<BoardView> =>
    new Promise((resolve, reject) => {
      const check = () => {
        const { status, board, error } = this.get();
        if (status === "loading") return;
        queueMicrotask(() => stop());
        if (status === "ready") resolve(board);
        else reject(error);
      };
      const stop = this.subscribe(check);
      check();
    });

  /** Calls a function when a selected value changes. */
  readonly select = <Value>(
    selector: (state: BoardState) => Value,
    listener: (value: Value) => void,
    isEqual: (one: Value, other: Value) => boolean = Object.is,
  ): Stop => {
    let last = selector(this.get());
    return this.subscribe(() => {
      const value = selector(this.get());
      if (isEqual(last, value)) return;
      last = value;
      listener(value);
    });
  };

  /** Calls a function for each event of a type. */
  readonly on = <Type extends BoardEvent["type"]>(
    type: Type,
    listener: (event: EventOf<Type>) => void,
  ): Stop =>
    this.#host.on(type, (event) => {
      if (event.boardPublicId === this.publicId) listener(event as unknown as EventOf<Type>);
    });

  /** Changes the given fields of the board. */
  readonly update = (changes: Omit<Inputs["board"]["update"], "boardPublicId">): Write => {
    const { publicId } = this;
    return this.#host.send(
      "board",
      "update",
      { ...changes, boardPublicId: publicId },
      { publicId },
    );
  };

  /** Undoes the last move of this tab; undefined when there is nothing to undo. */
  readonly undo = (): Write | undefined => this.#moves.at(-1)?.undo?.();

  /** Notes a move. Undoing is no move that can be undone. */
  #noteMove({ undo, ...write }: Write): Write {
    if (this.#isUndoing || undo === undefined) return write;
    const move: Write = {
      ...write,
      undo: () => {
        const at = this.#moves.indexOf(move);
        if (at >= 0) this.#moves.splice(at, 1);
        this.#isUndoing = true;
        try {
          return undo();
        } finally {
          this.#isUndoing = false;
        }
      },
    };
    this.#moves.push(move);
    if (this.#moves.length > maxUndo) this.#moves.shift();
    return move;
  }
}
