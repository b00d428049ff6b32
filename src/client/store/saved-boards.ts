import type { Client } from "../index.ts";
import { paginate } from "../pages.ts";
import type { BoardCopy } from "./copy.ts";
import type { BoardView, Persistence, SavedBoard } from "./types.ts";
import type { Waiting } from "./waiting.ts";

/** How long changes of a board are collected until its copy is stored. */
const saveMs = 500;

/** How long a copy is stored that does not change. */
const storedMs = 30 * 86_400_000;

/** The key of what is stored about the boards of a workspace. */
export const workspaceKey = (publicId: string): string => `workspace/${publicId}`;

/** The key of a stored card with its parts. */
export const cardKey = (publicId: string): string => `card/${publicId}`;

/** Data other than boards, and when it was stored. */
type SavedValue = { at: number; value: unknown };

/** When a copy was stored, and the workspace of its board. */
type SavedAt = { at: number; publicId: string; workspacePublicId: string };

const keyOf = (publicId: string) => `board/${publicId}`;
const valueKeyOf = (key: string) => `live/${key}`;
const savedKeyOf = (publicId: string) => `saved/${publicId}`;

/** The stored copies of boards, for a start without the service. */
export class SavedBoards {
  readonly #client: Client;
  readonly #storage: Persistence;
  readonly #waiting: Waiting;
  readonly #unsaved = new Set<BoardCopy>();

  /** The workspaces whose copies were checked in this run. */
  readonly #checked = new Set<string>();

  readonly #hasAllCards: boolean;

  constructor(client: Client, storage: Persistence, waiting: Waiting, hasAllCards: boolean) {
    this.#hasAllCards = hasAllCards;
    this.#client = client;
    this.#storage = storage;
    this.#waiting = waiting;
    void this.removeBefore(Date.now() - storedMs);
  }

  /** Removes copies of other boards of the workspace that the caller cannot see: once in a run. */
  async check({ publicId: shownId, workspacePublicId }: BoardView): Promise<void> {
    if (this.#checked.has(workspacePublicId)) return;
    this.#checked.add(workspacePublicId);
    const savedBoards = await this.#savedAt();
    const saved = savedBoards.filter((board) => board.workspacePublicId === workspacePublicId);
    const unseen = new Set(saved.map(({ publicId }) => publicId));
    unseen.delete(shownId);
    try {
      for (const archived of [false, true]) {
        const input = { workspacePublicId, archived };
        if (unseen.size === 0) return;
        for await (const board of paginate(this.#client.board.list, input)) {
          unseen.delete(board.publicId);
        }
      }
      for (const publicId of unseen) await this.remove(publicId);
    } catch {
      // The next board of the workspace that is read checks again.
      this.#checked.delete(workspacePublicId);
    }
  }

  async load(publicId: string): Promise<SavedBoard | undefined> {
    const [entry] = await this.#storage.entries(keyOf(publicId));
    const saved = entry?.[1] as SavedBoard | undefined;
    // A copy of an earlier version of the client has no fields: the board is read.
    return saved !== undefined && "fields" in saved.board ? saved : undefined;
  }

  /** Stores a copy soon. */
  async save(copy: BoardCopy): Promise<void> {
    if (this.#unsaved.has(copy)) return;
    this.#unsaved.add(copy);
    await this.#waiting.wait(saveMs);
    this.#unsaved.delete(copy);
    const { base: board, order, publicId } = copy;
    if (board === undefined) return;
    await Promise.all([
      this.#storage.set(keyOf(publicId), { board, order } satisfies SavedBoard),
      this.renew(board),
    ]);
    // It may have been removed meanwhile.
    if (copy.state.status === "denied") await this.remove(publicId);
  }

  /** Records that a stored copy is in use. */
  renew({ publicId, workspacePublicId }: BoardView): Promise<void> {
    const saved: SavedAt = { at: Date.now(), publicId, workspacePublicId };
    return this.#storage.set(savedKeyOf(publicId), saved);
  }

  /** The stored boards of a workspace. */
  async boardsOf(workspacePublicId: string): Promise<SavedBoard[]> {
    const saved = await this.#savedAt();
    const ofWorkspace = saved.filter((board) => board.workspacePublicId === workspacePublicId);
    const boards = await Promise.all(ofWorkspace.map(({ publicId }) => this.load(publicId)));
    return boards.filter((board) => board !== undefined);
  }

  /** What was stored under a key, other than boards. */
  async value<Value>(key: string): Promise<Value | undefined> {
    const entries = await this.#storage.entries(valueKeyOf(key));
    const entry = entries.find(([name]) => name === valueKeyOf(key));
    return (entry?.[1] as SavedValue | undefined)?.value as Value | undefined;
  }

  saveValue(key: string, value: unknown): void {
    void this.#storage.set(valueKeyOf(key), { at: Date.now(), value } satisfies SavedValue);
  }

  /** Stores all cards of these boards, or of all boards of a workspace, if the application asks. */
  async saveCards(workspacePublicId: string, boardPublicIds?: string[]): Promise<void> {
    if (!this.#hasAllCards) return;
    const selection = boardPublicIds === undefined ? {} : { boardPublicIds };
    try {
      const options = { ...selection, details: true };
      const { cards } = await this.#client.readBoards(workspacePublicId, options);
      for (const card of cards) this.saveValue(cardKey(card.publicId), card);
    } catch {
      // The next time that the boards are read, so are their cards.
    }
  }

  /** Removes the cards of a board. */
  async removeCards(boardPublicId: string): Promise<void> {
    for (const [key, savedValue] of await this.#storage.entries(valueKeyOf("card/"))) {
      const card = (savedValue as SavedValue).value as { boardPublicId: string };
      if (card.boardPublicId === boardPublicId) await this.#storage.delete(key);
    }
  }

  removeValue(key: string): Promise<void> {
    return this.#storage.delete(valueKeyOf(key));
  }

  async remove(publicId: string): Promise<void> {
    await this.#storage.delete(keyOf(publicId));
    await this.#storage.delete(savedKeyOf(publicId));
  }

  /** Removes the copies that were stored before a time. */
  async removeBefore(time: number): Promise<void> {
    for (const { at, publicId } of await this.#savedAt()) {
      if (at < time) await this.remove(publicId);
    }
    for (const [key, value] of await this.#storage.entries(valueKeyOf(""))) {
      if ((value as SavedValue).at < time) await this.#storage.delete(key);
    }
  }

  async #savedAt(): Promise<SavedAt[]> {
    return (await this.#storage.entries(savedKeyOf(""))).map(([, value]) => value as SavedAt);
  }
}
