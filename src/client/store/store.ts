import type { Client } from "../index.ts";
import type { BoardEvent } from "../router.ts";
import type { BoardStore } from "./board.ts";
import type { CardStore } from "./card.ts";
import { Core } from "./core.ts";
import type { StoreOptions } from "./options.ts";
import type { Connection, EventOf, Mutations, Stop } from "./types.ts";

/** Copies of boards that follow the service, and the changes that are made to them. */
export type Store = {
  /** A board: the same object for the same id. It is loaded when it is opened. */
  readonly board: (boardPublicId: string) => BoardStore;
  /** A card with its relations and comments: the same object for the same id. */
  readonly card: (cardPublicId: string) => CardStore;
  /** The state of the connection. */
  readonly connection: () => Connection;
  readonly onConnection: (listener: () => void) => Stop;
  /** The same object until a change is made, confirmed or refused. */
  readonly mutations: () => Mutations;
  readonly onMutations: (listener: () => void) => Stop;
  /** Sends a failed change again, without its `ifVersion`. */
  readonly retry: (mutationId: string) => void;
  /** Drops a failed change. */
  readonly discard: (mutationId: string) => void;
  /** Calls a function for each event of a type, of all open workspaces. */
  readonly on: <Type extends BoardEvent["type"]>(
    type: Type,
    listener: (event: EventOf<Type>) => void,
  ) => Stop;
  /** Removes everything from memory and storage: at sign-out. */
  readonly clear: () => Promise<void>;
  /** Ends connections and timers. What is stored stays. */
  readonly close: () => void;
};

/** Creates a store over a client. */
export function createStore(client: Client, options: StoreOptions = {}): Store {
  const core = new Core(client, options);
  return {
    board: (id) => core.board(id),
    card: (id) => core.card(id),
    connection: () => core.connection.state,
    onConnection: (listener) => core.connection.subscribe(listener),
    mutations: () => core.outbox.changes.snapshot(),
    onMutations: (listener) => core.onMutations(listener),
    retry: (id) => core.outbox.retry(id),
    discard: (id) => void core.outbox.discard(id),
    on: (type, listener) => core.on(type, listener as unknown as (event: BoardEvent) => void),
    clear: () => core.clear(),
    close: () => core.close(),
  };
}
