import type { Asker, BoardView, LiveStore } from "./types.ts";

/** Who asks about the boards that a store shows; it may be read later than the board. */
const ofBoards = new WeakMap<BoardView, () => Asker | undefined>();

/** Who uses the store that shows a board; undefined until it is known, and for other boards. */
export const askerOf = (board: BoardView): Asker | undefined => ofBoards.get(board)?.();

/** The users of a store, by workspace. */
export class Askers {
  readonly #followed = new Map<string, LiveStore<Asker>>();
  readonly #read: (workspacePublicId: string) => LiveStore<Asker>;
  readonly #onChange: (workspacePublicId: string) => void;

  constructor(
    read: (workspacePublicId: string) => LiveStore<Asker>,
    onChange: (workspacePublicId: string) => void,
  ) {
    this.#read = read;
    this.#onChange = onChange;
  }

  /** Tells filters who asks about a board. */
  show(board: BoardView): void {
    const live = this.#follow(board.workspacePublicId);
    if (!ofBoards.has(board)) ofBoards.set(board, () => live.get().data);
  }

  /** Resolves when it is known who asks, or cannot be. */
  async ready(workspacePublicId: string): Promise<void> {
    const live = this.#follow(workspacePublicId);
    if (live.get().data === undefined) await live.ready().catch(() => undefined);
  }

  #follow(id: string): LiveStore<Asker> {
    const existing = this.#followed.get(id);
    if (existing !== undefined) return existing;
    const live = this.#read(id);
    this.#followed.set(id, live);
    live.subscribe(() => this.#onChange(id));
    return live;
  }
}
