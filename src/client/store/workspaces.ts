import { BoardServiceError } from "../errors.ts";
import type { Client } from "../index.ts";
import { hydratedOf, type Hydrated } from "./copy.ts";
import { getOrMake } from "./get-or-make.ts";
import { once } from "./once.ts";
import type { OpenWorkspace } from "./replica-handlers.ts";
import type { Replica } from "./replica.ts";
import { workspaceKey, type SavedBoards } from "./saved-boards.ts";
import { structuralShare } from "./structural-sharing.ts";
import { byName } from "./rows.ts";
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
    const workspace = this.#get(id);
    const { error } = workspace;
    const isOpen = this.#replica.workspaces.has(id);
    const boards = [...this.#replica.copies.values()]
      .flatMap(({ state }) => state.board ?? [])
      .filter((board) => isOpen && board.workspacePublicId === id && !board.isArchived)
      .toSorted(byName);
    const status = error !== undefined ? "denied" : isOpen ? "ready" : "loading";
    return (workspace.state = structuralShare(workspace.state, {
      status,
      boards,
      error,
    } as BoardsState));
  }

  /** Opens all boards of a workspace until the returned function is called. */
  open(id: string): Stop {
    const workspace = this.#get(id);
    if (workspace.users++ === 0) void this.#load(id, workspace);
    return once(() => {
      if (--workspace.users > 0) return;
      this.#save(id);
      this.#replica.workspaces.delete(id);
      for (const stop of workspace.stops.values()) stop();
      workspace.stops.clear();
    });
  }

  #get(id: string): Workspace {
    return getOrMake<string, Workspace>(this.#all, id, () => {
      const workspace: Workspace = {
        users: 0,
        stops: new Map(),
        error: undefined,
        state: undefined,
        isUnsaved: false,
        save: () => void this.#saveSoon(id, workspace),
        read: () => void this.#read(id, workspace),
      };
      return workspace;
    });
  }

  /** Whether an answer is of use: not after a sign-out, which replaces the open workspaces. */
  #needed(workspace: Workspace): () => boolean {
    const { workspaces } = this.#replica;
    return () => workspace.users > 0 && this.#replica.workspaces === workspaces;
  }

  async #load(id: string, workspace: Workspace): Promise<void> {
    const isNeeded = this.#needed(workspace);
    const saved = await this.#saved.value<SavedWorkspace>(workspaceKey(id));
    const storedBoards = saved && (await this.#saved.boardsOf(id));
    if (!isNeeded() || this.#replica.workspaces.has(id)) return;
    if (saved === undefined || storedBoards === undefined) return this.#read(id, workspace);
    const { cursor, orders } = saved;
    const current = storedBoards.filter(
      ({ board, order }) => order >= (orders[board.publicId] ?? "~"),
    );
    for (const board of current) this.#hydrate({ ...board, cursor, isStored: true });
    // A board whose copy is older is read.
    this.#follow(id, workspace, cursor, Object.keys(orders));
  }

  async #read(id: string, workspace: Workspace): Promise<void> {
    const isNeeded = this.#needed(workspace);
    const result = await this.#replica.retryRead(() => this.#client.readBoards(id), isNeeded);
    if (result === undefined || !isNeeded()) return;
    const isRead = !(result instanceof BoardServiceError);
    workspace.error = isRead ? undefined : result;
    if (!isRead) return this.#onChange();
    for (const board of result.boards) this.#hydrate(hydratedOf(board));
    const ids = result.boards.map(({ publicId }) => publicId);
    this.#follow(id, workspace, result.cursor, ids);
    void this.#saved.saveCards(id);
  }

  #hydrate(hydrated: Hydrated): void {
    this.#replica.copy(hydrated.board.publicId).hydrate(hydrated);
  }

  /** Follows a workspace and these boards of it. */
  #follow(id: string, workspace: Workspace, cursor: string, boards: string[]): void {
    const replica = this.#replica;
    replica.workspaces.set(id, workspace);
    // A feed that is farther repeats the events after the cursor, which may have made boards.
    replica.feeds.follow(id, cursor, replica.feeds.cursors());
    for (const board of boards) {
      getOrMake(workspace.stops, board, () => replica.open(replica.copy(board)));
    }
    workspace.save();
    this.#onChange();
  }

  async #saveSoon(id: string, workspace: Workspace): Promise<void> {
    if (workspace.isUnsaved) return;
    workspace.isUnsaved = true;
    await this.#waiting.wait(saveMs);
    workspace.isUnsaved = false;
    this.#save(id);
  }

  /** Stores how far the feed is. A board that is being read may lack earlier events. */
  #save(id: string): void {
    const cursor = this.#replica.feeds.get(id)?.cursor ?? "";
    const workspace = this.#replica.workspaces.get(id);
    if (workspace === undefined || cursor === "") return;
    const orders = [...this.#replica.copies.values()]
      .filter(({ base }) => base?.workspacePublicId === id)
      .map(({ publicId, changed, buffer }) => [publicId, buffer ? null : changed] as const);
    const saved: SavedWorkspace = { cursor, orders: Object.fromEntries(orders) };
    this.#saved.saveValue(workspaceKey(id), saved);
  }
}
