import { BoardServiceError } from "../errors.ts";
import type { Client } from "../index.ts";
import { paginate } from "../pages.ts";
import type { ConnectionState } from "./connection.ts";
import { withCardChanges } from "./detail.ts";
import { isDenied } from "./failures.ts";
import type { Pending } from "./fields.ts";
import { Listeners } from "./listeners.ts";
import { retryRead } from "./read-board.ts";
import { structuralShare } from "./structural-sharing.ts";
import type { BoardView, CardDetail, Comment, Stop } from "./types.ts";
import type { Waiting } from "./waiting.ts";

/** The state of a card. `denied`: it cannot be seen. */
export type CardState =
  | { readonly status: "loading"; readonly card: undefined; readonly error: undefined }
  | { readonly status: "ready"; readonly card: CardDetail; readonly error: undefined }
  | { readonly status: "denied"; readonly card: undefined; readonly error: BoardServiceError };

/** What a card needs of its store. */
export type CardHost = {
  client: Client;
  waiting: Waiting;
  pending(): readonly Pending[];
  /** Follows a board. */
  open(boardPublicId: string): Stop;
  view(boardPublicId: string): BoardView | undefined;
  connection: ConnectionState;
};

const loading: CardState = { status: "loading", card: undefined, error: undefined };

/** A card with its description, checklists, attachments and comments. */
export class CardStore {
  readonly publicId: string;
  readonly #host: CardHost;
  readonly #listeners = new Listeners();
  #state: CardState = loading;
  #base: CardDetail | undefined;
  #closeBoard: { boardPublicId: string; stop: Stop } | undefined;
  /** The changes whose effect the base may not have yet. */
  #confirmed: Pending[] = [];
  #reading: Promise<void> | undefined;
  #isStale = false;

  constructor(publicId: string, host: CardHost) {
    this.publicId = publicId;
    this.#host = host;
  }

  /** The state now: the same object until it changes. */
  readonly get = (): CardState => this.#state;

  /** Loads the card, and follows it until the returned function is called. */
  readonly subscribe = (listener: () => void): Stop => {
    const stop = this.#listeners.add(listener);
    if (this.#listeners.size === 1) void this.reload();
    return () => {
      stop();
      if (this.#listeners.size > 0) return;
      this.#closeBoard?.stop();
      this.#closeBoard = undefined;
      // A closed card is not shown again at each event.
      this.#base = undefined;
    };
  };

  /** Loads the card again: after an upload, or a call of the client. */
  readonly reload = (): Promise<void> => {
    this.#isStale = true;
    this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
    return this.#reading;
  };

  /** Shows the changes that are not confirmed yet. */
  show(): void {
    if (this.#base === undefined) return;
    const changes = [...this.#confirmed, ...this.#host.pending()];
    const board = this.#host.view(this.#base.boardPublicId);
    const card = structuralShare(this.#state.card, withCardChanges(this.#base, changes, board));
    if (card !== this.#state.card) this.#set({ status: "ready", card, error: undefined });
  }

  /** An event has changed the card. */
  touch(): void {
    if (this.#listeners.size > 0) void this.reload();
  }

  /** Changes were confirmed: they are shown until the card is loaded again. */
  confirm(changes: Pending[]): void {
    if (this.#base === undefined || changes.length === 0) return;
    this.#confirmed.push(...changes);
    this.touch();
  }

  /** Removes the card, with the board that it is on. */
  drop(boardPublicId: string | undefined, error: BoardServiceError): void {
    if (boardPublicId === undefined || this.#state.card?.boardPublicId === boardPublicId) {
      this.#deny(error);
    }
  }

  async #readAll(): Promise<void> {
    const { waiting, connection } = this.#host;
    const isNeeded = () => this.#listeners.size > 0;
    while (this.#isStale) {
      this.#isStale = false;
      const confirmed = this.#confirmed;
      const { length } = confirmed;
      const found = await retryRead(() => this.#read(), isNeeded, waiting, connection);
      if (found === undefined) return;
      // It was removed meanwhile: the user has signed out.
      if (confirmed !== this.#confirmed) continue;
      if (found instanceof BoardServiceError) return this.#deny(found);
      this.#base = found;
      confirmed.splice(0, length);
      this.#follow(found.boardPublicId);
      this.show();
    }
  }

  async #read(): Promise<CardDetail> {
    const { client } = this.#host;
    const comments: Comment[] = [];
    const input = { cardPublicId: this.publicId };
    const readComments = async () => {
      for await (const comment of paginate(client.comment.list, { ...input, limit: 100 })) {
        comments.push(comment);
      }
    };
    // A caller without comment:view reads the card without them.
    const [card] = await Promise.all([
      client.card.get(input),
      readComments().catch((error: BoardServiceError) => {
        if (!isDenied(error)) throw error;
      }),
    ]);
    return { ...card, comments };
  }

  #follow(boardPublicId: string): void {
    if (this.#listeners.size === 0 || this.#closeBoard?.boardPublicId === boardPublicId) return;
    const last = this.#closeBoard;
    this.#closeBoard = { boardPublicId, stop: this.#host.open(boardPublicId) };
    last?.stop();
  }

  #deny(error: BoardServiceError): void {
    this.#base = undefined;
    this.#confirmed = [];
    this.#set({ status: "denied", card: undefined, error });
  }

  #set(state: CardState): void {
    this.#state = state;
    this.#listeners.notify();
  }
}
