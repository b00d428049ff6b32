import { BoardServiceError } from "../errors.ts";
import { applyCardEvent } from "./card-events.ts";
import { newDetail, withCardChanges, type Caller } from "./detail.ts";
import type { Pending } from "./fields.ts";
import type { BoardEvent } from "../router.ts";
import { cardKey, type SavedBoards } from "./saved-boards.ts";
import { findCard } from "./tree.ts";
import { Listeners } from "./listeners.ts";
import { retryRead } from "./read-board.ts";
import { readyOf } from "./ready.ts";
import { structuralShare } from "./structural-sharing.ts";
import type { CardDetail, CardState, Stop, BoardView, Comment } from "./types.ts";
import type { Client } from "../index.ts";
import type { ConnectionState } from "./connection.ts";
import type { Waiting } from "./waiting.ts";
import { paginate } from "../pages.ts";
import { isDenied } from "./failures.ts";

/** Reads a card with its comments. A caller without comment:view reads it without them. */
async function readCard(client: Client, cardPublicId: string): Promise<CardDetail> {
  const comments: Comment[] = [];
  const readComments = async () => {
    for await (const comment of paginate(client.comment.list, { cardPublicId, limit: 100 })) {
      comments.push(comment);
    }
  };
  const [card] = await Promise.all([
    client.card.get({ cardPublicId }),
    readComments().catch((error: BoardServiceError) => {
      if (!isDenied(error)) throw error;
    }),
  ]);
  return { ...card, comments };
}

/** What a card needs of its store. */
type CardHost = {
  client: Client;
  waiting: Waiting;
  pending(): readonly Pending[];
  saved: SavedBoards;
  /** The author of new comments. */
  user(): Caller | undefined;
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
  /** The events since the card is being read. */
  #events: BoardEvent[] = [];
  #isStale = false;
  /** Whether its create was not accepted yet. */
  #isCreating = false;

  constructor(publicId: string, host: CardHost) {
    this.publicId = publicId;
    this.#host = host;
  }

  /** The state now: the same object until it changes. */
  readonly get = (): CardState => this.#state;

  /** Loads the card, and follows it until the returned function is called. */
  readonly subscribe = (listener: () => void): Stop => {
    const stop = this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#open();
    return () => {
      stop();
      if (this.#listeners.size > 0) return;
      this.#closeBoard?.stop();
      this.#closeBoard = undefined;
      // A closed card is not shown again at each event.
      this.#base = undefined;
    };
  };

  /** Resolves with the card as it is now, or offline as it is stored. Rejects when it cannot be seen. */
  readonly ready = (): Promise<CardDetail> =>
    readyOf(
      {
        get: this.get,
        subscribe: this.subscribe,
        reload: this.reload,
        reading: () => this.#reading,
      },
      ({ card }) => card,
      this.#host.connection,
    );

  /** Loads the card again: after an upload, or a call of the client. */
  readonly reload = (): Promise<void> => {
    this.#isStale = true;
    this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
    return this.#reading;
  };

  /** Shows the changes that are not confirmed yet. */
  show(): void {
    if (this.#listeners.size === 0) return;
    const base = this.#base ?? this.#created();
    if (base === undefined) return;
    const host = this.#host;
    const board = host.view(base.boardPublicId);
    const changes = [...this.#confirmed, ...host.pending()];
    const changedCard = withCardChanges(base, changes, { board, user: host.user() });
    const located = board && findCard(board, this.publicId);
    // Labels, members and the index change with others too: the board has their events.
    const { index, claim, labels, members } = located?.card ?? changedCard;
    const card = structuralShare(this.#state.card, {
      ...changedCard,
      index,
      claim,
      labels,
      members,
    });
    if (card !== this.#state.card) this.#set({ status: "ready", card, error: undefined });
  }

  /** Applies an event of the card. */
  handle(event: BoardEvent): void {
    if (this.#listeners.size === 0) return;
    if (this.#reading !== undefined) this.#events.push(event);
    if (this.#base === undefined) void this.reload();
    else this.#apply(this.#base, event);
  }

  /** Reads the card again if it is open, and on this board: events may be missing. */
  refresh(boardPublicId = this.#state.card?.boardPublicId): void {
    const isOnBoard = boardPublicId === this.#state.card?.boardPublicId;
    if (this.#listeners.size > 0 && isOnBoard) void this.reload();
  }

  /** Changes were confirmed. Those whose effect the base does not have are shown until it has. */
  confirm(changes: Pending[]): void {
    if (this.#base === undefined) return;
    const newChanges = this.#reading ? changes : changes.filter(({ isSeen }) => !isSeen);
    if (newChanges.length === 0) return;
    this.#confirmed.push(...newChanges);
    void this.reload();
  }

  /** Removes the card, with the board that it is on. */
  drop(boardPublicId: string | undefined, error: BoardServiceError): void {
    if (boardPublicId === undefined || this.#state.card?.boardPublicId === boardPublicId) {
      this.#deny(error);
    }
  }

  #open(): void {
    if (this.#create() === undefined) void this.reload();
    else this.show();
    void this.#showStored();
  }

  async #showStored(): Promise<void> {
    const confirmed = this.#confirmed;
    const card = await this.#host.saved.value<CardDetail>(cardKey(this.publicId));
    const isNeeded = this.#listeners.size > 0 && this.#base === undefined;
    if (card === undefined || !isNeeded || confirmed !== this.#confirmed) return;
    this.#base = card;
    this.#follow(card.boardPublicId);
    this.show();
  }

  /** The create of this card while the service may not have it. */
  #create(): Pending | undefined {
    return this.#host
      .pending()
      .find(({ operation, publicId }) => operation === "card.create" && publicId === this.publicId);
  }

  /** The card as its create makes it; it is read when the service has answered. */
  #created(): CardDetail | undefined {
    const change = this.#create();
    const isCreating = change !== undefined && change.state !== "sent";
    if (this.#isCreating && !isCreating) void this.reload();
    this.#isCreating = isCreating;
    if (change === undefined) return undefined;
    this.#follow(change.boardPublicId);
    const board = this.#host.view(change.boardPublicId);
    return board && newDetail(board, change);
  }

  async #readAll(): Promise<void> {
    const { waiting, connection } = this.#host;
    const isNeeded = () => this.#listeners.size > 0;
    while (this.#isStale) {
      this.#isStale = false;
      this.#events = [];
      const confirmed = this.#confirmed;
      const { length } = confirmed;
      const result = await retryRead(
        () => readCard(this.#host.client, this.publicId),
        isNeeded,
        waiting,
        connection,
      );
      if (result === undefined) return;
      // It was removed meanwhile: the user has signed out.
      if (confirmed !== this.#confirmed) continue;
      if (result instanceof BoardServiceError) {
        // Something has changed since it was asked: the card may be there by now, or soon.
        if (this.#isStale) continue;
        if (this.#create() === undefined) this.#deny(result);
        else this.show();
        return;
      }
      confirmed.splice(0, length);
      this.#setBase(result);
      this.#follow(result.boardPublicId);
      for (const event of this.#events) this.#apply(this.#base ?? result, event);
      this.show();
    }
  }

  #apply(base: CardDetail, event: BoardEvent): void {
    const next = applyCardEvent(base, event, this.#host.user()?.name);
    if (next === "read") void this.reload();
    else if (next !== base) this.#setBase(next);
  }

  #setBase(card: CardDetail): void {
    this.#base = card;
    this.#host.saved.saveValue(cardKey(this.publicId), card);
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
    void this.#host.saved.removeValue(cardKey(this.publicId));
    this.#set({ status: "denied", card: undefined, error });
  }

  #set(state: CardState): void {
    this.#state = state;
    this.#listeners.notify();
  }
}
