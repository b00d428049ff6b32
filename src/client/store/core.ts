import { BoardServiceError } from "../errors.ts";
import type { FollowedEvent } from "../events.ts";
import type { Client } from "../index.ts";
import type { BoardEvent } from "../router.ts";
import { Askers } from "./askers.ts";
import { boardStore, type BoardStore } from "./board.ts";
import { getOrMake } from "./get-or-make.ts";
import type { CardStore } from "./card.ts";
import { hydratedOf } from "./copy.ts";
import type { BoardCopy } from "./copy.ts";
import { connectionState } from "./connection.ts";
import type { Caller } from "./new-rows.ts";
import { Display } from "./display.ts";
import { Listeners, run } from "./listeners.ts";
import { callerOf, openSubscriptions } from "./open-subscriptions.ts";
import type { SubscriptionCache, Subscriptions } from "./subscriptions.ts";
import { isOf } from "./changes.ts";
import { createsBoard } from "./optimistic.ts";
import { newPublicId } from "../public-id.ts";
import { viewActions, type ViewActions } from "./view-actions.ts";
import { Outbox } from "./outbox.ts";
import { persistenceOf } from "./persistence.ts";
import { Replica } from "./replica.ts";
import { SavedBoards } from "./saved-boards.ts";
import type { StoreOptions } from "./options.ts";
import type { NewBoard, Store } from "./store.ts";
import type { BoardsState, Entry, Failure, Mutations, Stop } from "./types.ts";
import type { UserFeed } from "./user-feed.ts";
import { Waiting } from "./waiting.ts";
import { Workspaces } from "./workspaces.ts";
import { openWrites, type Write } from "./writes.ts";

/** How long a board may show an accepted change without its event, before it is read again. */
const confirmMs = 3_000;

/** Connects the copies of boards, the outbox and the subscribers. */
class Core implements Store {
  readonly #connection = connectionState(() => this.#wake());
  readonly #outbox: Outbox;
  readonly #saved: SavedBoards;
  readonly #replica: Replica;
  readonly #waiting = new Waiting();
  /** The waits for the events of changes: a connection that is back does not end them. */
  readonly #confirming = new Waiting();
  readonly #writes = openWrites();
  readonly #boards = new Map<string, BoardStore>();
  readonly #views = new Map<string, ViewActions>();
  readonly #listeners = new Map<string, Listeners<[BoardEvent]>>();
  readonly #workspaces: Workspaces;
  readonly #display: Display;
  readonly #userFeed: UserFeed;
  readonly #user: () => Caller | undefined;
  readonly #subscriptions: SubscriptionCache;
  readonly #askers = new Askers(
    (id) => this.live.asker(id),
    (id) => {
      for (const copy of this.#replica.copies.values())
        if (copy.base?.workspacePublicId === id) copy.showAgain();
    },
  );
  readonly live: Subscriptions;

  constructor(client: Client, options: StoreOptions) {
    const { outbox = "memory", name = "boards", user, onFailure, onWarning } = options;
    const storage = persistenceOf(outbox, name, onWarning);
    this.#saved = new SavedBoards(client, storage, this.#waiting, options.cards === "all");
    this.#replica = new Replica(client, this.#saved, this.#waiting, {
      onChange: (copy) => this.#display.change([copy]),
      onShown: (board) => this.#askers.show(board),
      onEvent: (event, apply) => this.#handle(event, apply),
      onGap: (id) => this.#subscriptions.refresh(id),
      onReadAgain: (id) => {
        this.#subscriptions.refresh(id, true);
      },
      onLogLost: (id) => this.#outbox.forgetOrders(id),
      isCreating: (id) => this.#isCreating(id),
      onDenied: (id, error) => void this.#purge(id, error),
      onConnection: (state) => {
        this.#connection.follow(state);
        if (state !== "lost") this.#waiting.wake();
      },
      connection: this.#connection,
    });
    const show = () => this.#show();
    this.#workspaces = new Workspaces(client, this.#replica, this.#saved, this.#waiting, show);
    const following = {
      client,
      waiting: this.#waiting,
      saved: this.#saved,
      connection: this.#connection,
      replica: this.#replica,
      pending: () => this.#outbox.changes.pending,
    };
    ({ subscriptions: this.#subscriptions, userFeed: this.#userFeed } =
      openSubscriptions(following));
    this.live = this.#subscriptions.subscriptions;
    this.#user = callerOf(user, this.live, () => this.#subscriptions.show());
    const isShared = outbox !== "memory" && (outbox !== "indexeddb" || "indexedDB" in globalThis);
    this.#outbox = new Outbox(
      client,
      storage,
      this.#waiting,
      isShared ? `${name} outbox` : undefined,
      {
        onChange: show,
        onAccepted: (entry) => void this.#accept(entry),
        onFailed: (entry) => this.#fail(entry, onFailure),
        connection: this.#connection,
      },
    );
    this.#display = new Display(this.#outbox, this.#subscriptions);
    void this.#outbox.load();
  }

  readonly board = (publicId: string): BoardStore =>
    getOrMake(this.#boards, publicId, () => {
      const copy = this.#replica.copy(publicId);
      return boardStore({
        copy,
        send: this.#writes.sender(this.#outbox, publicId),
        open: () => this.#replica.open(copy),
        read: () => this.#replica.read(copy),
        asker: (workspacePublicId) => this.#askers.ready(workspacePublicId),
        connection: this.#connection,
        on: (type, listener) => this.#on(type, listener),
      });
    });

  readonly card = (publicId: string): CardStore =>
    this.#subscriptions.card(publicId, {
      user: this.#user,
      view: (id) => this.#replica.copy(id).state.board,
    });

  readonly createBoard = (workspacePublicId: string, board: NewBoard): Write => {
    const { publicId = newPublicId(), lists = [], ...fields } = board;
    const input = { ...fields, workspacePublicId, publicId };
    const send = this.#writes.sender(this.#outbox, publicId);
    const write = send("board.create", input, { publicId });
    const created = lists.map((name) => this.board(publicId).lists.create({ name }).done);
    const done = Promise.all([write.done, ...created]).then(() => undefined);
    done.catch(() => undefined);
    return { ...write, done };
  };

  readonly views = (workspacePublicId: string): ViewActions =>
    getOrMake(this.#views, workspacePublicId, () =>
      viewActions(this.#writes.sender(this.#outbox, workspacePublicId), workspacePublicId),
    );

  readonly openWorkspace = (id: string): Stop => this.#workspaces.open(id);
  readonly boards = (id: string): BoardsState => this.#workspaces.boards(id);
  readonly onBoards = (listener: () => void): Stop => this.#display.boards.add(listener);
  readonly connection = this.#connection.get;
  readonly onConnection = this.#connection.subscribe;
  readonly mutations = (): Mutations => this.#outbox.changes.snapshot();
  readonly onMutations = (listener: () => void): Stop => this.#display.mutations.add(listener);
  readonly retry = (id: string): void => this.#outbox.retry(id);
  readonly discard = (id: string): void => void this.#outbox.discard(id);
  readonly on: Store["on"] = (type, listener) =>
    this.#on(type, listener as unknown as (event: BoardEvent) => void);

  readonly hydrate: Store["hydrate"] = ({ boards }) => {
    for (const board of boards) this.#replica.copy(board.publicId).hydrate(hydratedOf(board));
  };

  #on(type: string, listener: (event: BoardEvent) => void): Stop {
    return getOrMake(this.#listeners, type, () => new Listeners<[BoardEvent]>()).add(listener);
  }

  readonly clear = async (): Promise<void> => {
    this.#replica.reset();
    this.#writes.drop();
    this.#subscriptions.drop();
    await this.#outbox.purge();
    await this.#saved.removeBefore(Infinity);
  };

  readonly close = (): void => {
    this.#waiting.close();
    this.#confirming.close();
    this.#connection.close();
    this.#outbox.close();
    this.#userFeed.close();
    this.#replica.close();
  };

  #wake(): void {
    this.#waiting.wake();
    this.#replica.feeds.restart();
    this.#userFeed.restart();
  }

  #handle(event: FollowedEvent, apply: () => void): void {
    const { mutationId, type } = event;
    this.#display.collect(
      () => {
        this.#outbox.changes.update(mutationId, { isSeen: true });
        apply();
      },
      () => this.#listeners.get(type)?.notify(event),
    );
    this.#subscriptions.handle(event);
  }

  /** Shows the changes that are not confirmed yet. */
  #show(): void {
    for (const { boardPublicId } of this.#outbox.changes.pending.filter(createsBoard))
      this.#replica.copy(boardPublicId);
    this.#display.change(this.#replica.copies.values());
  }

  #fail(entry: Entry, onFailure: StoreOptions["onFailure"]): void {
    this.#writes.fail(entry);
    if (createsBoard(entry) && entry.error !== undefined)
      this.#replica.copy(entry.boardPublicId).deny(new BoardServiceError(entry.error));
    run(onFailure, entry as Failure);
  }

  async #isCreating(boardPublicId: string): Promise<boolean> {
    await this.#outbox.loaded;
    return this.#outbox.changes.pending.filter(createsBoard).some(isOf(boardPublicId));
  }

  async #accept(entry: Entry): Promise<void> {
    const { id, boardPublicId, operation } = entry;
    this.#writes.accept(id);
    this.#connection.succeed();
    if (operation.startsWith("view.")) {
      await this.live.views(boardPublicId).reload();
      return void this.#outbox.settle(boardPublicId, "\uffff");
    }
    const copy = this.#replica.copy(boardPublicId);
    // The service has it now.
    if (createsBoard(entry)) await this.#readCreated(copy);
    const isShown = () => this.#outbox.changes.pending.some((change) => change.id === id);
    while (isShown() && !this.#confirming.isClosed) {
      if (copy.users === 0) this.#outbox.settle(boardPublicId, "\uffff");
      else {
        await this.#confirming.wait(confirmMs);
        if (isShown()) await this.#replica.read(copy);
      }
    }
  }

  async #readCreated(copy: BoardCopy): Promise<void> {
    const close = this.#replica.open(copy);
    await copy.reading;
    close();
  }

  async #purge(boardPublicId: string, error: BoardServiceError): Promise<void> {
    this.#writes.drop(boardPublicId);
    this.#subscriptions.deny(boardPublicId, error);
    await this.#outbox.purge(boardPublicId);
    await this.#saved.remove(boardPublicId);
    await this.#saved.removeCards(boardPublicId);
  }
}

/** Creates a store over a client. */
export const createStore = (client: Client, options: StoreOptions = {}): Store =>
  new Core(client, options);
