import type { BoardServiceError } from "../errors.ts";
import type { FollowedEvent } from "../events.ts";
import type { Client } from "../index.ts";
import type { BoardEvent } from "../router.ts";
import { BoardStore } from "./board.ts";
import { getOrMake } from "./get-or-make.ts";
import { CardStore } from "./card.ts";
import { ConnectionState } from "./connection.ts";
import type { BoardCopy } from "./copy.ts";
import { signedOut } from "./failures.ts";
import type { Pending } from "./fields.ts";
import { Listeners } from "./listeners.ts";
import { Outbox } from "./outbox.ts";
import { persistenceOf } from "./persistence.ts";
import { Replica } from "./replica.ts";
import { SavedBoards } from "./saved-boards.ts";
import type { StoreOptions } from "./options.ts";
import type { Entry, Failure, Mutations, Stop } from "./types.ts";
import { Waiting } from "./waiting.ts";
import { Writes } from "./writes.ts";

/** How long a board may show an accepted change without its event, before it is read again. */
const confirmMs = 3_000;

/** Connects the copies of boards, the outbox and the subscribers. */
export class Core {
  readonly connection: ConnectionState;
  readonly outbox: Outbox;
  readonly #client: Client;
  readonly #saved: SavedBoards;
  readonly #replica: Replica;
  readonly #waiting = new Waiting();
  readonly #writes = new Writes();
  readonly #boards = new Map<string, BoardStore>();
  readonly #cards = new Map<string, CardStore>();
  readonly #listeners = new Map<string, Listeners<[BoardEvent]>>();
  readonly #mutationListeners = new Listeners();
  /** The boards to show when the running step ends. */
  readonly #changed = new Set<BoardCopy>();
  #isChanged = false;
  /** The changes that the subscribers have seen. */
  #shown: Mutations | undefined;
  #depth = 0;

  constructor(client: Client, { outbox = "memory", name = "boards", onFailure }: StoreOptions) {
    this.#client = client;
    const storage = persistenceOf(outbox, name);
    this.#saved = new SavedBoards(client, storage, this.#waiting);
    this.connection = new ConnectionState(() => this.#wake());
    const onInterrupted = (error: unknown) => this.connection.interrupt(error);
    this.#replica = new Replica(client, this.#saved, this.#waiting, {
      onChange: (copy) => this.#step(() => this.#change([copy])),
      onEvent: (event, apply) => this.#handle(event, apply),
      onDenied: (id, error) => void this.#purge(id, error),
      onConnection: (state) => {
        this.connection.follow(state);
        if (state !== "lost") this.outbox.wake();
      },
      onInterrupted,
    });
    this.outbox = new Outbox(client, storage, name, {
      onChange: () => this.#step(() => this.#change(this.#replica.copies.values())),
      onAccepted: (entry) => this.#accept(entry),
      onFailed: (entry) => {
        this.#writes.fail(entry);
        onFailure?.(entry as Failure);
      },
      onInterrupted,
    });
    void this.outbox.load();
  }

  board(publicId: string): BoardStore {
    const make = () => {
      const copy = this.#replica.copy(publicId);
      return new BoardStore({
        copy,
        send: this.#writes.sender(this.outbox, publicId),
        open: () => this.#replica.open(copy),
        on: (type, listener) => this.on(type, listener),
      });
    };
    return getOrMake(this.#boards, publicId, make);
  }

  card(publicId: string): CardStore {
    const make = () =>
      new CardStore(publicId, {
        client: this.#client,
        waiting: this.#waiting,
        pending: () => this.outbox.changes.pending,
        open: (id) => this.#replica.open(this.#replica.copy(id)),
        view: (id) => this.#replica.copy(id).state.board,
        interrupt: (error) => this.connection.interrupt(error),
      });
    return getOrMake(this.#cards, publicId, make);
  }

  onMutations(listener: () => void): Stop {
    return this.#mutationListeners.add(listener);
  }

  on(type: string, listener: (event: BoardEvent) => void): Stop {
    return getOrMake(this.#listeners, type, () => new Listeners<[BoardEvent]>()).add(listener);
  }

  async clear(): Promise<void> {
    this.#replica.reset();
    this.#writes.drop();
    for (const card of this.#cards.values()) card.drop(undefined, signedOut());
    await this.outbox.purge();
    await this.#saved.removeBefore(Infinity);
  }

  close(): void {
    this.#waiting.close();
    this.connection.close();
    this.outbox.close();
    this.#replica.close();
  }

  #wake(): void {
    this.#waiting.wake();
    this.outbox.wake();
    this.#replica.feeds.restart();
  }

  /** Runs a step; subscribers see its result, and nothing between. */
  #step(run: () => void): void {
    this.#depth++;
    try {
      run();
      while (this.#depth === 1 && this.#isChanged) this.#show();
    } finally {
      this.#depth--;
    }
  }

  /** Shows what a step has changed. */
  #show(): void {
    this.#isChanged = false;
    const changed = [...this.#changed];
    const confirmed = changed.flatMap(({ publicId, order }) =>
      this.outbox.settle(publicId, order),
    ) as Pending[];
    this.#changed.clear();
    for (const card of this.#cards.values()) {
      card.confirm(confirmed.filter(({ cardPublicId }) => cardPublicId === card.publicId));
    }
    const before = this.#shown;
    for (const copy of changed) {
      const isShown = ({ boardPublicId, card }: Entry) =>
        boardPublicId === copy.publicId || card !== undefined;
      copy.show(this.outbox.changes.pending.filter(isShown));
    }
    for (const card of this.#cards.values()) card.show();
    this.#shown = this.outbox.changes.snapshot();
    if (this.#shown !== before) this.#mutationListeners.notify();
  }

  #change(copies: Iterable<BoardCopy>): void {
    this.#isChanged = true;
    for (const copy of copies) this.#changed.add(copy);
  }

  #handle(event: FollowedEvent, apply: () => void): void {
    this.#step(() => {
      const { mutationId } = event;
      if (mutationId !== undefined) this.outbox.changes.update(mutationId, { isSeen: true });
      apply();
    });
    const { card } = event.data as { card?: { publicId: string } };
    if (card !== undefined) this.#cards.get(card.publicId)?.touch();
    this.#listeners.get(event.type)?.notify(event);
  }

  #accept({ id, boardPublicId }: Entry): void {
    this.#writes.accept(id);
    this.connection.succeed();
    const copy = this.#replica.copy(boardPublicId);
    const isShown = () => this.outbox.changes.pending.some((change) => change.id === id);
    const confirm = async () => {
      while (isShown() && !this.#waiting.isClosed) {
        if (copy.users === 0) this.outbox.settle(boardPublicId, "\uffff");
        else {
          await this.#waiting.wait(confirmMs);
          if (isShown()) await this.#replica.read(copy);
        }
      }
    };
    void confirm();
  }

  async #purge(boardPublicId: string, error: BoardServiceError): Promise<void> {
    this.#writes.drop(boardPublicId);
    for (const card of this.#cards.values()) card.drop(boardPublicId, error);
    await this.outbox.purge(boardPublicId);
    await this.#saved.remove(boardPublicId);
  }
}
