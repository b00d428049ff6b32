import type { Board, EventType, Inputs } from "../router.ts";
import type { BoardStore } from "./board.ts";
import type { CardStore } from "./card.ts";
import type { Subscriptions } from "./subscriptions.ts";
import type { ViewActions } from "./view-actions.ts";
import type { Write } from "./writes.ts";
import type { BoardsState, Connection, EventOf, Mutations, Stop } from "./types.ts";

/** A new board. Its lists are created with it, empty. */
export type NewBoard = Pick<
  Inputs["board"]["create"],
  "name" | "description" | "slug" | "type" | "visibility" | "publicId"
> & {
  /** The names of its lists, in order. */
  lists?: readonly string[];
};

/** Copies of boards that follow the service, and the changes that are made to them. */
export type Store = {
  /** A board: the same object for the same id. It is loaded when it is opened. */
  readonly board: (boardPublicId: string) => BoardStore;
  /** A card with its relations and comments: the same object for the same id. */
  readonly card: (cardPublicId: string) => CardStore;
  /** Creates a board with empty lists. It shows at once, also offline. */
  readonly createBoard: (workspacePublicId: string, board: NewBoard) => Write;
  /** The changes of the views of a workspace; `live.views` shows them at once. */
  readonly views: (workspacePublicId: string) => ViewActions;
  /** Opens all boards of a workspace, read at once, until the returned function is called. */
  readonly openWorkspace: (workspacePublicId: string) => Stop;
  /** The boards of an open workspace by name: the same object until one of them changes. */
  readonly boards: (workspacePublicId: string) => BoardsState;
  /** Calls a function when a board changes. */
  readonly onBoards: (listener: () => void) => Stop;
  /** Workspaces, members, notifications, activity and searches. */
  readonly live: Subscriptions;
  /** Sets what a server has read, before the boards are opened. */
  readonly hydrate: (state: { boards: readonly Board[] }) => void;
  /** The state of the connection. */
  readonly connection: () => Connection;
  /** Calls a function when the connection changes. */
  readonly onConnection: (listener: () => void) => Stop;
  /** The same object until a change is made, confirmed or refused. */
  readonly mutations: () => Mutations;
  /** Calls a function when `mutations()` changes. */
  readonly onMutations: (listener: () => void) => Stop;
  /** Sends a failed change again, without its `ifVersion`. */
  readonly retry: (mutationId: string) => void;
  /** Drops a failed change. */
  readonly discard: (mutationId: string) => void;
  /** Calls a function for each event of a type, of all open workspaces. */
  readonly on: <Type extends EventType>(
    type: Type,
    listener: (event: EventOf<Type>) => void,
  ) => Stop;
  /** Removes everything from memory and storage: at sign-out. */
  readonly clear: () => Promise<void>;
  /** Ends connections and timers. What is stored stays. */
  readonly close: () => void;
};
