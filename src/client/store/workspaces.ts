import { BoardServiceError } from "../errors.ts";
import type { Client } from "../index.ts";
import { hydratedOf, type Hydrated } from "./copy.ts";
import { getOrMake } from "./get-or-make.ts";
import { once } from "./once.ts";
import type { OpenWorkspace } from "./replica-handlers.ts";
import type { Replica } from "./replica.ts";
import { workspaceKey, type SavedBoards } from "./saved-boards.ts";
import { structuralShare } from "./structural-sharing.ts";
import { byName } from "./tree.ts";
import type { BoardsState, Stop } from "./types.ts";
import type { Waiting } from "./waiting.ts";

/** How long changes are collected until it is stored how far a workspace is: after its boards. */
const saveMs = 1_000;

type Workspace = OpenWorkspace & {
  users: number;
  state: BoardsState | undefined;
  isUnsaved: boolean;
};

/** How far the feed of a workspace is, and the order at which each board was changed last. */
type SavedWorkspace = { cursor: string; orders: Record<string, string | null> };

/** The boards of whole workspaces: opened as they are stored, or from one snapshot. */
export class Workspaces {
  readonly #client: Client;
  readonly #replica: Replica;
  readonly #saved: SavedBoards;
  readonly #waiting: Waiting;
  readonly #onChange: () => void;
  readonly #all = new Map<string, Workspace>();

  constructor(
    client: Client,
    replica: Replica,
    saved: SavedBoards,
    waiting: Waiting,
    onChange: () => void,
  ) {
    this.#client = client;
    this.#replica = replica;
    this.#saved = saved;
    this.#waiting = waiting;
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
      this.#save(id);
      this.#replica.workspaces.delete(id);
      for (const stop of one.stops.values()) stop();
      one.stops.clear();
    });
  }

  #get(id: string): Workspace {
    return getOrMake<string, Workspace>(this.#all, id, () => {
      const one: Workspace = {
        users: 0,
        stops: new Map(),
        error: undefined,
        state: undefined,
        isUnsaved: false,
        save: () => void this.#saveSoon(id, one),
        read: () => void this.#read(id, one),
      };
      return one;
    });
  }

  /** Whether an answer is of use: not after a sign-out, which replaces the open workspaces. */
  #needed(one: Workspace): () => boolean {
    const { workspaces } = this.#replica;
    return () => one.users > 0 && this.#replica.workspaces === workspaces;
  }

  async #load(id: string, one: Workspace): Promise<void> {
    const isNeeded = this.#needed(one);
    const saved = await this.#saved.value<SavedWorkspace>(workspaceKey(id));
    const stored = saved && (await this.#saved.boardsOf(id));
    if (!isNeeded() || this.#replica.workspaces.has(id)) return;
    if (saved === undefined || stored === undefined) return this.#read(id, one);
    const { cursor, orders } = saved;
    const current = stored.filter(({ board, order }) => order >= (orders[board.publicId] ?? "~"));
    for (const board of current) this.#hydrate({ ...board, cursor, isStored: true });
    // A board whose copy is of before is read.
    this.#follow(id, one, cursor, Object.keys(orders));
  }

  async #read(id: string, one: Workspace): Promise<void> {
    const isNeeded = this.#needed(one);
    const found = await this.#replica.retryRead(() => this.#client.readBoards(id), isNeeded);
    if (found === undefined || !isNeeded()) return;
    const isRead = !(found instanceof BoardServiceError);
    one.error = isRead ? undefined : found;
    if (!isRead) return this.#onChange();
    for (const board of found.boards) this.#hydrate(hydratedOf(board));
    const ids = found.boards.map(({ publicId }) => publicId);
    this.#follow(id, one, found.cursor, ids);
    void this.#saved.saveCards(id);
  }

  #hydrate(hydrated: Hydrated): void {
    this.#replica.copy(hydrated.board.publicId).hydrate(hydrated);
  }

  /** Follows a workspace and these boards of it. */
  #follow(id: string, one: Workspace, cursor: string, boards: string[]): void {
    const replica = this.#replica;
    replica.workspaces.set(id, one);
    // A feed that is farther repeats the events after the cursor, which may have made boards.
    replica.feeds.follow(id, cursor, replica.feeds.cursors());
    for (const board of boards) {
      getOrMake(one.stops, board, () => replica.open(replica.copy(board)));
    }
    one.save();
    this.#onChange();
  }

  async #saveSoon(id: string, one: Workspace): Promise<void> {
    if (one.isUnsaved) return;
    one.isUnsaved = true;
    await this.#waiting.wait(saveMs);
    one.isUnsaved = false;
    this.#save(id);
  }

  /** Stores how far the feed is. A board that is being read may lack events of before. */
  #save(id: string): void {
    const cursor = this.#replica.feeds.get(id)?.cursor ?? "";
    const one = this.#replica.workspaces.get(id);
    if (one === undefined || cursor === "") return;
    const orders = [...this.#replica.copies.values()]
      .filter(({ base }) => base?.workspacePublicId === id)
      .map(({ publicId, changed, buffer }) => [publicId, buffer ? null : changed] as const);
    const saved: SavedWorkspace = { cursor, orders: Object.fromEntries(orders) };
    this.#saved.saveValue(workspaceKey(id), saved);
  }
}
