import type { BoardCopy } from "./copy.ts";
import type { Persistence } from "./persistence.ts";
import type { BoardView } from "./types.ts";
import type { Waiting } from "./waiting.ts";

/** How long changes of a board are collected until its copy is stored. */
const saveMs = 500;

/** A board, and the order of the log up to which it has all events. */
export type SavedBoard = { board: BoardView; order: string };

const keyOf = (publicId: string) => `board/${publicId}`;

/** The stored copies of boards, for a start without the service. */
export class SavedBoards {
  readonly #storage: Persistence;
  readonly #waiting: Waiting;
  readonly #unsaved = new Set<BoardCopy>();

  constructor(storage: Persistence, waiting: Waiting) {
    this.#storage = storage;
    this.#waiting = waiting;
  }

  async load(publicId: string): Promise<SavedBoard | undefined> {
    const [stored] = await this.#storage.entries(keyOf(publicId));
    return stored?.[1] as SavedBoard | undefined;
  }

  /** Stores a copy soon. */
  async save(copy: BoardCopy): Promise<void> {
    if (this.#unsaved.has(copy)) return;
    this.#unsaved.add(copy);
    await this.#waiting.wait(saveMs);
    this.#unsaved.delete(copy);
    const { base: board, order, publicId } = copy;
    if (board === undefined) return;
    await this.#storage.set(keyOf(publicId), { board, order } satisfies SavedBoard);
    // It may have been removed meanwhile.
    if (copy.state.status === "denied") await this.remove(publicId);
  }

  async remove(publicId: string): Promise<void> {
    await this.#storage.delete(keyOf(publicId));
  }

  async clear(): Promise<void> {
    for (const [key] of await this.#storage.entries(keyOf(""))) await this.#storage.delete(key);
  }
}
