import type { BoardServiceError } from "../errors.ts";
import type { FollowedEvent } from "../events.ts";
import { orderOf } from "../order.ts";
import type { Board } from "../router.ts";
import type { Pending } from "./fields.ts";
import { Listeners } from "./listeners.ts";
import { withChanges } from "./optimistic.ts";
import { structuralShare } from "./structural-sharing.ts";
import type { BoardState, BoardView, Stop } from "./types.ts";

const loading: BoardState = { status: "loading", board: undefined, error: undefined };

/** The copy of a board: what the service has shown, and the state that subscribers see. */
export class BoardCopy {
  readonly publicId: string;
  state: BoardState = loading;
  /** The board without the changes that are not confirmed yet. */
  base: BoardView | undefined;
  /** The order of the log up to which the base has all events. */
  order = "";
  /** Where to follow it from: it was read, and is not followed. */
  cursor: string | undefined;
  /** The state without anything of this browser: what a server has rendered. */
  rendered: BoardState = loading;
  /** How many subscribers need it. */
  users = 0;
  /** The events since the board is being read; undefined when it is not. */
  buffer: FollowedEvent[] | undefined;
  readonly #listeners = new Listeners();

  constructor(publicId: string) {
    this.publicId = publicId;
  }

  subscribe(listener: () => void): Stop {
    return this.#listeners.add(listener);
  }

  /** Sets the board as it was read elsewhere, unless it is loaded. */
  hydrate({ cursor, ...board }: Board): void {
    if (this.base !== undefined || this.users > 0) return;
    this.base = board;
    this.order = orderOf(cursor);
    this.cursor = cursor;
    this.state = this.rendered = { status: "ready", board, error: undefined };
  }

  /** Shows the base with the changes that are not confirmed yet. */
  show(changes: readonly Pending[]): void {
    if (this.base === undefined) return;
    const last = this.state.board;
    const board = structuralShare(last, withChanges(this.base, changes));
    if (board !== last) this.#set({ status: "ready", board, error: undefined });
  }

  /** Removes the board: it cannot be seen. */
  deny(error: BoardServiceError): void {
    this.#clear();
    this.#set({ status: "denied", board: undefined, error });
  }

  /** Removes the board, as before it was loaded. The answer of a running read is dropped. */
  reset(): void {
    this.#clear();
    this.buffer = undefined;
    if (this.state.status !== "loading") this.#set(loading);
  }

  #clear(): void {
    this.base = this.cursor = undefined;
    this.order = "";
  }

  #set(state: BoardState): void {
    this.state = state;
    this.#listeners.notify();
  }
}
