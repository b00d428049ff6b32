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
import type { LiveState, Stop } from "./types.ts";
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
  /** Reads it: of a listing the given number of pages. */
  read(client: Client, pages: number): Promise<Data>;
  /** The data after an event: the same if the event changes nothing, "read" to read it again. */
  apply(data: Data, event: LiveEvent): Data | "read";
  /** The data with changes that are not confirmed yet. */
  optimistic?(data: Data, changes: readonly Pending[]): Data;
  /** What to show without a connection where nothing is stored. */
  offline?: () => Promise<Data | undefined>;
};

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
  #stops: Stop[] = [];
  #pages = 1;
  #reading: Promise<void> | undefined;
  /** The events since the data is being read. */
  #events: LiveEvent[] = [];
  #isStale = false;
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
      this.#stops = this.query.feeds.map((feed) => this.#host.follow(feed));
      void this.#load();
    }
    return () => {
      stop();
      if (this.#listeners.size === 0) for (const end of this.#stops.splice(0)) end();
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
    if (this.#listeners.size === 0) return;
    if (this.#reading !== undefined) this.#events.push(event);
    this.#apply(event);
  }

  /** Reads again if a feed had a gap. */
  refresh(feed: string): void {
    if (this.#listeners.size > 0 && this.query.feeds.includes(feed)) void this.reload();
  }

  /** Removes the data: the user has signed out. */
  drop(): void {
    this.#run = {};
    this.#base = undefined;
    this.#set({ status: "loading", data: undefined, error: undefined });
  }

  async #load(): Promise<void> {
    void this.reload();
    const { key, offline } = this.query;
    const run = this.#run;
    if (key !== undefined) this.#showStored(run, await this.#host.saved.value<Data>(key));
    if (offline !== undefined) this.#showStored(run, await offline());
  }

  /** Shows what is stored until the data is read. */
  #showStored(run: object, data: Data | undefined): void {
    if (data !== undefined && run === this.#run && this.#state.status === "loading") {
      this.#base = data;
      this.showPending();
    }
  }

  /** Shows the data with the changes that are not confirmed yet. */
  showPending(): void {
    if (this.#base === undefined) return;
    const changed = this.query.optimistic?.(this.#base, this.#host.pending()) ?? this.#base;
    const data = structuralShare(this.#state.data, changed);
    if (data !== this.#state.data) this.#set({ status: "ready", data, error: undefined });
  }

  async #readAll(): Promise<void> {
    const { client, waiting, connection, saved } = this.#host;
    const isNeeded = () => this.#listeners.size > 0;
    while (this.#isStale) {
      this.#isStale = false;
      this.#events = [];
      const run = this.#run;
      const readPages = () => this.query.read(client, this.#pages);
      const result = await retryRead(readPages, isNeeded, waiting, connection);
      if (result === undefined) return;
      if (run !== this.#run) continue;
      // A refusal from before a change says nothing.
      if (result instanceof BoardServiceError && this.#isStale) continue;
      if (result instanceof BoardServiceError) {
        if (this.query.key !== undefined) void saved.removeValue(this.query.key);
        this.#base = undefined;
        return this.#set({ status: "denied", data: undefined, error: result });
      }
      this.#show(result);
      for (const event of this.#events) this.#apply(event);
      if (this.#isStale) await waiting.wait(pauseMs);
    }
  }

  #apply(event: LiveEvent): void {
    if (this.#base === undefined) return;
    const next = this.query.apply(this.#base, event);
    if (next !== "read") this.#show(next);
    // What is being read may be older than the event.
    else void this.reload();
  }

  #show(next: Data): void {
    const data = structuralShare(this.#base, next);
    if (data === this.#base) return;
    this.#base = data;
    this.showPending();
    if (this.query.key !== undefined) this.#host.saved.saveValue(this.query.key, data);
    this.#host.onChange();
  }

  #set(state: LiveState<Data>): void {
    this.#state = state;
    this.#listeners.notify();
  }
}
