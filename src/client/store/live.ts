import { BoardServiceError } from "../errors.ts";
import type { FollowedUserEvent } from "../events.ts";
import type { Client } from "../index.ts";
import type { BoardEvent } from "../router.ts";
import type { ConnectionState } from "./connection.ts";
import type { Pending } from "./fields.ts";
import { Listeners } from "./listeners.ts";
import { retryRead } from "./read-board.ts";
import { readyOf } from "./ready.ts";
import type { SavedBoards } from "./saved-boards.ts";
import { structuralShare } from "./structural-sharing.ts";
import type { Entry, LiveState, Stop } from "./types.ts";
import type { Waiting } from "./waiting.ts";

/** An event of a workspace or of the user. */
export type LiveEvent = BoardEvent | FollowedUserEvent;

/** The feed of the user. Those of workspaces are named by their ids. */
export const userFeed = "user";
/** The feed of the workspace of a board. */
export const boardFeed = (boardPublicId: string): string => `board/${boardPublicId}`;

/** What to read, and which events change it. */
export type LiveQuery<Data> = {
  /** Where it is stored; undefined for what is not stored. */
  key?: string;
  /** The feeds that it follows: workspaces by their ids, `userFeed` or a `boardFeed`. */
  feeds: readonly string[];
  /** The feed of the board that it is on, which is known when it was read. */
  feedOf?: (data: Data) => string;
  /** Reads it: of a listing the given number of pages. */
  read: (client: Client, pages: number) => Promise<Data>;
  /** The data after an event: the same if the event changes nothing, "read" to read it again. */
  apply: (data: Data, event: LiveEvent) => Data | "read";
  /** Whether an event says that it can be seen, or seen again. */
  isShownBy?: (event: LiveEvent) => boolean;
  /** Whether it shows a change that is not confirmed yet. */
  isChangedBy?: (change: Entry) => boolean;
  /** The data with such changes. */
  optimistic?: (data: Data, changes: readonly Pending[]) => Data;
  /** The data as a change makes it that the service may not have. */
  created?: (changes: readonly Pending[]) => Created<Data> | undefined;
  /** What to show without a connection where nothing is stored. */
  offline?: () => Promise<Data | undefined>;
};

/** What a change creates, if its board is known, and whether the service has accepted it. */
export type Created<Data> = { feed: string; data: Data | undefined; isSent: boolean };

/** What live data needs of its store. */
export type LiveHost = {
  client: Client;
  waiting: Waiting;
  saved: SavedBoards;
  connection: ConnectionState;
  follow: (feed: string) => Stop;
  /** The changes that are not confirmed yet. */
  pending: () => readonly Pending[];
  /** Data has changed. */
  onChange: () => void;
};

/** How long to wait between two reads that events ask for. */
const pauseMs = 250;

/** Data that is read once, and then follows its events. */
export class Live<Data> {
  readonly query: LiveQuery<Data>;
  readonly #host: LiveHost;
  readonly #listeners = new Listeners();
  #state: LiveState<Data> = { status: "loading", data: undefined, error: undefined };
  /** The data without the changes that are not confirmed yet. */
  #base: Data | undefined;
  /** The confirmed changes whose effect the base may not have yet. */
  #confirmed: Pending[] = [];
  /** The feeds that are followed. */
  readonly #feeds = new Map<string, Stop>();
  #pages = 1;
  #reading: Promise<void> | undefined;
  /** The events since the data is being read. */
  #events: LiveEvent[] = [];
  #isStale = false;
  /** Whether the change that creates it was not accepted yet. */
  #isCreating = false;
  /** Changes with each removal, so that the answer to an earlier read is dropped. */
  #run = {};

  constructor(query: LiveQuery<Data>, host: LiveHost) {
    this.query = query;
    this.#host = host;
  }

  /** The state now: the same object until it changes. */
  readonly get = (): LiveState<Data> => this.#state;

  /** Loads the data, and follows it until the returned function is called. */
  readonly subscribe = (listener: () => void): Stop => {
    const stop = this.#listeners.add(listener);
    if (this.#listeners.size === 1) {
      this.#follow();
      void this.#load();
    }
    return () => {
      stop();
      if (this.#listeners.size > 0) return;
      for (const end of this.#feeds.values()) end();
      this.#feeds.clear();
    };
  };

  /** Resolves with the data as it is now, or offline as it is stored. Rejects when it cannot be seen. */
  readonly ready = (): Promise<Data> =>
    readyOf(
      {
        get: this.get,
        subscribe: this.subscribe,
        reload: this.reload,
        reading: () => this.#reading,
      },
      ({ data }) => data,
      this.#host.connection,
    );

  /** Reads the data again. */
  readonly reload = (): Promise<void> => {
    this.#isStale = true;
    this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
    return this.#reading;
  };

  /** Reads one more page. */
  readonly more = (): Promise<void> => {
    this.#pages++;
    return this.reload();
  };

  get isOpen(): boolean {
    return this.#listeners.size > 0;
  }

  /** Applies an event of one of its feeds. */
  handle(event: LiveEvent): void {
    if (!this.isOpen) return;
    if (this.#reading !== undefined) this.#events.push(event);
    this.#apply(event);
  }

  /** Reads again if a feed had a gap. `isLost`: its boards are read again too. */
  refresh(feed: string, isLost = false): void {
    const isOfBoard = (name: string) => isLost && name.startsWith(boardFeed(""));
    const isAbout = [...this.#feeds.keys()].some((name) => name === feed || isOfBoard(name));
    if (this.isOpen && isAbout) void this.reload();
  }

  /** Changes were confirmed. Those whose effect the base does not have are shown until it has. */
  confirm(changes: Pending[]): void {
    if (this.#base === undefined || this.query.isChangedBy === undefined) return;
    const ofThis = changes.filter(this.query.isChangedBy);
    const newChanges = this.#reading ? ofThis : ofThis.filter(({ isSeen }) => !isSeen);
    if (newChanges.length === 0) return;
    this.#confirmed.push(...newChanges);
    void this.reload();
  }

  /** Removes the data: the user has signed out, or can no longer see it. */
  drop(error?: BoardServiceError): void {
    this.#run = {};
    this.#base = undefined;
    this.#confirmed = [];
    if (error === undefined) this.#set({ status: "loading", data: undefined, error });
    else {
      if (this.query.key !== undefined) void this.#host.saved.removeValue(this.query.key);
      this.#set({ status: "denied", data: undefined, error });
    }
  }

  /** Removes the data if it is on a board that can no longer be seen. */
  deny(feed: string, error: BoardServiceError): void {
    const { data } = this.#state;
    if (data !== undefined && this.query.feedOf?.(data) === feed) this.drop(error);
  }

  async #load(): Promise<void> {
    if (this.#created() === undefined) void this.reload();
    this.#render();
    const { key, offline } = this.query;
    const run = this.#run;
    if (key !== undefined) this.#showStored(run, await this.#host.saved.value<Data>(key));
    if (offline !== undefined) this.#showStored(run, await offline());
  }

  /** Shows what is stored until the data is read. */
  #showStored(run: object, data: Data | undefined): void {
    if (data === undefined || run !== this.#run || this.#base !== undefined) return;
    if (!this.isOpen || this.#state.status === "denied") return;
    this.#base = data;
    this.#follow();
    this.#render();
  }

  /** What a change creates that the service may not have. It is read when it has accepted it. */
  #created(): Created<Data> | undefined {
    const created = this.query.created?.(this.#host.pending());
    const isCreating = created?.isSent === false;
    if (this.#isCreating && !isCreating) void this.reload();
    this.#isCreating = isCreating;
    if (created !== undefined) this.#follow(created.feed);
    return created;
  }

  /** Follows its feeds, and that of its board, while someone needs it. */
  #follow(ofBoard = this.#base === undefined ? undefined : this.query.feedOf?.(this.#base)): void {
    if (!this.isOpen) return;
    const needed = new Set(this.query.feeds).add(ofBoard ?? "");
    needed.delete("");
    for (const feed of needed) {
      if (this.#feeds.has(feed)) continue;
      // What opens may show this data again.
      this.#feeds.set(feed, () => undefined);
      this.#feeds.set(feed, this.#host.follow(feed));
    }
    for (const [feed, end] of this.#feeds) {
      if (needed.has(feed)) continue;
      this.#feeds.delete(feed);
      end();
    }
  }

  /** Shows the changes that are not confirmed yet. Closed data is not shown at each change. */
  showChanges(): void {
    if (this.isOpen) this.#render();
  }

  #render(): void {
    const base = this.#base ?? this.#created()?.data;
    if (base === undefined) return;
    const { optimistic, isChangedBy = () => false } = this.query;
    const changes = [...this.#confirmed, ...this.#host.pending().filter(isChangedBy)];
    const data = structuralShare(this.#state.data, optimistic?.(base, changes) ?? base);
    if (data !== this.#state.data) this.#set({ status: "ready", data, error: undefined });
  }

  async #readAll(): Promise<void> {
    const { client, waiting, connection } = this.#host;
    while (this.#isStale) {
      this.#isStale = false;
      this.#events = [];
      const run = this.#run;
      const { length } = this.#confirmed;
      const readPages = () => this.query.read(client, this.#pages);
      const result = await retryRead(readPages, () => this.isOpen, waiting, connection);
      if (result === undefined) return;
      if (run !== this.#run) continue;
      // A refusal from before a change says nothing.
      if (result instanceof BoardServiceError && this.#isStale) continue;
      if (result instanceof BoardServiceError) {
        if (this.#created() === undefined) this.drop(result);
        return this.#render();
      }
      this.#confirmed.splice(0, length);
      this.#show(result);
      for (const event of this.#events) this.#apply(event);
      if (this.#isStale) await waiting.wait(pauseMs);
    }
  }

  #apply(event: LiveEvent): void {
    const { apply, isShownBy } = this.query;
    const isShown = this.#base === undefined && isShownBy?.(event) === true;
    const next = this.#base === undefined ? undefined : apply(this.#base, event);
    // What is being read may be older than the event.
    if (isShown || next === "read") void this.reload();
    else if (next !== undefined) this.#show(next);
  }

  #show(next: Data): void {
    const data = structuralShare(this.#base, next);
    const isSame = data === this.#base;
    this.#base = data;
    this.#follow();
    this.#render();
    if (isSame) return;
    if (this.query.key !== undefined) this.#host.saved.saveValue(this.query.key, data);
    this.#host.onChange();
  }

  #set(state: LiveState<Data>): void {
    this.#state = state;
    this.#listeners.notify();
  }
}
