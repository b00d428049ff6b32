import type { BoardServiceError } from "../errors.ts";
import type { FollowedEvent } from "../events.ts";
import { orderOf } from "../order.ts";
import type { Board } from "../router.ts";
import type { Pending } from "./fields.ts";
import { Listeners } from "./listeners.ts";
import { createdBoard, withChanges } from "./optimistic.ts";
import { withRelated } from "./related.ts";
import { structuralShare } from "./structural-sharing.ts";
import type { BoardState, BoardView, SavedBoard, Stop } from "./types.ts";

const loading: BoardState = { status: "loading", board: undefined, error: undefined };

/** A board that was read elsewhere, and where to follow it from. */
export type Hydrated = SavedBoard & {
  cursor: string;
  /** Whether this storage has it. */
  isStored: boolean;
};

/** A board as a response has it. */
export const hydratedOf = ({ cursor, ...board }: Board): Hydrated => ({
  board,
  cursor,
  order: orderOf(cursor),
  isStored: false,
});

/** The copy of a board: what the service has shown, and the state that subscribers see. */
export class BoardCopy {
  readonly publicId: string;
  state: BoardState = loading;
  /** The board without the changes that are not confirmed yet. */
  base: BoardView | undefined;
  /** The order of the log up to which the base has all events. */
  order = "";
  /** The order at which the base was last changed. */
  changed = "";
  /** The board as it was read elsewhere: its first subscriber sees it. */
  hydrated: Hydrated | undefined;
  /** The state without anything of this browser: what a server has rendered. */
  rendered: BoardState = loading;
  /** How many subscribers need it. */
  users = 0;
  /** The events since the board is being read; undefined when it is not. */
  buffer: FollowedEvent[] | undefined;
  /** The read that runs, and those that were asked for meanwhile. */
  reading: Promise<void> | undefined;
  readonly #listeners = new Listeners();

  /** Whether it shows a board that the service does not have yet. */
  #isCreated = false;
  readonly #onShown: (board: BoardView) => void;

  constructor(publicId: string, onShown: (board: BoardView) => void = () => undefined) {
    this.publicId = publicId;
    this.#onShown = onShown;
  }

  subscribe(listener: () => void): Stop {
    return this.#listeners.add(listener);
  }

  /** Sets the board as it was read elsewhere, unless it is loaded. */
  hydrate(hydrated: Hydrated): void {
    if (this.base !== undefined || this.users > 0) return;
    this.hydrated = hydrated;
    this.state = this.rendered = { status: "ready", board: hydrated.board, error: undefined };
  }

  /** Shows the base, or the board as its create makes it, with the changes that are not confirmed yet. */
  show(changes: readonly Pending[]): void {
    const base = this.base ?? createdBoard(changes);
    const isGone = this.#isCreated && base === undefined;
    this.#isCreated = base !== undefined && this.base === undefined;
    if (base === undefined) return isGone ? this.reset() : undefined;
    const last = this.state.board;
    const board = structuralShare(last, withRelated(withChanges(base, changes)));
    this.#onShown(board);
    if (board !== last) this.#set({ status: "ready", board, error: undefined });
  }

  /** Notifies subscribers, although the board is the same: what is known about it has changed. */
  showAgain(): void {
    this.#set({ ...this.state });
  }

  /** Removes the board: it cannot be seen. */
  deny(error: BoardServiceError): void {
    this.#clear();
    this.#set({ status: "denied", board: undefined, error });
  }

  /** Removes the board, as before it was loaded. The answer of a running read is dropped. */
  reset(): void {
    this.#clear();
    this.buffer = this.reading = undefined;
    if (this.state.status !== "loading") this.#set(loading);
  }

  #clear(): void {
    this.base = this.hydrated = undefined;
    this.order = "";
  }

  #set(state: BoardState): void {
    this.state = state;
    this.#listeners.notify();
  }
}
