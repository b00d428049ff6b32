import { BoardServiceError } from "../errors.ts";
import type { Client } from "../index.ts";
import { getOrMake } from "./get-or-make.ts";
import { once } from "./once.ts";
import type { OpenWorkspace } from "./replica-handlers.ts";
import type { Replica } from "./replica.ts";
import { share } from "./share.ts";
import { byName } from "./tree.ts";
import type { BoardsState, Stop } from "./types.ts";

type Workspace = OpenWorkspace & { users: number; state: BoardsState };

/** The boards of whole workspaces, each opened from one snapshot. */
export class Workspaces {
  readonly #client: Client;
  readonly #replica: Replica;
  readonly #onChange: () => void;
  readonly #all = new Map<string, Workspace>();

  constructor(client: Client, replica: Replica, onChange: () => void) {
    this.#client = client;
    this.#replica = replica;
    this.#onChange = onChange;
  }

  /** The boards of a workspace by name, without archived ones: the same object until it changes. */
  boards(id: string): BoardsState {
    const one = this.#get(id);
    const { error } = one;
    const isOpen = this.#replica.workspaces.has(id);
    const boards = [...this.#replica.copies.values()]
      .flatMap(({ state }) => state.board ?? [])
      .filter((board) => isOpen && board.workspacePublicId === id && !board.isArchived)
      .toSorted(byName);
    const state: BoardsState =
      error === undefined
        ? { status: isOpen ? "ready" : "loading", boards, error }
        : { status: "denied", boards, error };
    return (one.state = share(one.state, state));
  }

  /** Opens all boards of a workspace until the returned function is called. */
  open(id: string): Stop {
    const one = this.#get(id);
    if (one.users++ === 0) void this.#load(id, one);
    return once(() => {
      if (--one.users > 0) return;
      this.#replica.workspaces.delete(id);
      for (const stop of one.stops.splice(0)) stop();
    });
  }

  #get(id: string): Workspace {
    const state: BoardsState = { status: "loading", boards: [], error: undefined };
    return getOrMake(this.#all, id, () => ({ users: 0, stops: [], error: undefined, state }));
  }

  async #load(id: string, one: Workspace): Promise<void> {
    const replica = this.#replica;
    const cursors = replica.feeds.cursors();
    const isNeeded = () => one.users > 0;
    const found = await replica.readWhen(() => this.#client.readBoards(id), isNeeded);
    if (found === undefined || !isNeeded()) return;
    one.error = found instanceof BoardServiceError ? found : undefined;
    if (!(found instanceof BoardServiceError)) {
      replica.workspaces.set(id, one);
      replica.feeds.follow(id, found.cursor, cursors);
      for (const board of found.boards) {
        const copy = replica.copy(board.publicId);
        copy.hydrate(board);
        one.stops.push(replica.open(copy));
      }
    }
    this.#onChange();
  }
}
