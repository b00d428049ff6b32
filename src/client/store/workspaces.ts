import { BoardServiceError } from "../errors.ts";
import type { Client } from "../index.ts";
import { getOrMake } from "./get-or-make.ts";
import { once } from "./once.ts";
import type { OpenWorkspace } from "./replica-handlers.ts";
import type { Replica } from "./replica.ts";
import { structuralShare } from "./structural-sharing.ts";
import { byName } from "./tree.ts";
import type { BoardsState, Stop } from "./types.ts";

type Workspace = OpenWorkspace & { users: number; state: BoardsState | undefined };

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
    const status = error !== undefined ? "denied" : isOpen ? "ready" : "loading";
    return (one.state = structuralShare(one.state, { status, boards, error } as BoardsState));
  }

  /** Opens all boards of a workspace until the returned function is called. */
  open(id: string): Stop {
    const one = this.#get(id);
    if (one.users++ === 0) void this.#load(id, one);
    return once(() => {
      if (--one.users > 0) return;
      this.#replica.workspaces.delete(id);
      for (const stop of one.stops.values()) stop();
      one.stops.clear();
    });
  }

  #get(id: string): Workspace {
    const make = () => ({ users: 0, stops: new Map(), error: undefined, state: undefined });
    return getOrMake<string, Workspace>(this.#all, id, make);
  }

  async #load(id: string, one: Workspace): Promise<void> {
    const replica = this.#replica;
    const { workspaces } = replica;
    const cursors = replica.feeds.cursors();
    // Not after a sign-out, which replaces them.
    const isNeeded = () => one.users > 0 && replica.workspaces === workspaces;
    const found = await replica.retryRead(() => this.#client.readBoards(id), isNeeded);
    if (found === undefined || !isNeeded()) return;
    const isRead = !(found instanceof BoardServiceError);
    one.error = isRead ? undefined : found;
    if (isRead) {
      workspaces.set(id, one);
      replica.feeds.follow(id, found.cursor, cursors);
      for (const board of found.boards) {
        const copy = replica.copy(board.publicId);
        copy.hydrate(board);
        one.stops.set(copy.publicId, replica.open(copy));
      }
    }
    this.#onChange();
  }
}
