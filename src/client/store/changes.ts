import type { Pending } from "./fields.ts";
import type { Entry, Failure, Mutations } from "./types.ts";

/** The changes that are not confirmed yet, in their order, and those that failed. */
export class Changes {
  pending: readonly Pending[] = [];
  failed: readonly Entry[] = [];
  #snapshot: Mutations = { pending: [], failed: [] };
  readonly #onChange: (boardPublicId: string) => void;

  constructor(onChange: (boardPublicId: string) => void) {
    this.#onChange = onChange;
  }

  /** All of them: the same object until one changes. */
  snapshot(): Mutations {
    const { pending, failed } = this;
    if (this.#snapshot.pending !== pending || this.#snapshot.failed !== failed) {
      this.#snapshot = { pending, failed: failed as readonly Failure[] };
    }
    return this.#snapshot;
  }

  find(id: string): Entry | undefined {
    return [...this.pending, ...this.failed].find((entry) => entry.id === id);
  }

  /** Adds a change unless it is known. */
  insert(entry: Entry): void {
    if (this.find(entry.id) !== undefined) return;
    if (entry.error !== undefined) this.failed = [...this.failed, entry];
    else {
      const change: Pending = { ...entry, state: "waiting", isSeen: false };
      this.pending = [...this.pending, change].toSorted((a, b) => (a.seq < b.seq ? -1 : 1));
    }
    this.#onChange(entry.boardPublicId);
  }

  update(id: string, fields: Partial<Pending>): void {
    const found = this.pending.find((change) => change.id === id);
    if (found === undefined) return;
    this.pending = this.pending.map((change) =>
      change === found ? { ...change, ...fields } : change,
    );
    this.#onChange(found.boardPublicId);
  }

  /** Removes the changes that a function selects, and returns them. */
  remove(isRemoved: (change: Entry & Partial<Pending>) => boolean): Entry[] {
    const removed = [...this.pending, ...this.failed].filter(isRemoved);
    if (removed.length === 0) return [];
    this.pending = this.pending.filter((change) => !removed.includes(change));
    this.failed = this.failed.filter((change) => !removed.includes(change));
    for (const id of new Set(removed.map((change) => change.boardPublicId))) this.#onChange(id);
    return removed;
  }
}
