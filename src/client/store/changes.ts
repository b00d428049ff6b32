import type { Pending } from "./fields.ts";
import type { Entry, Mutations } from "./types.ts";

/** The changes that are not confirmed yet, in their order, and those that failed. */
export class Changes {
  #all: { pending: readonly Pending[]; failed: readonly Entry[] } = { pending: [], failed: [] };
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get pending(): readonly Pending[] {
    return this.#all.pending;
  }

  /** All of them: the same object until one changes. */
  snapshot(): Mutations {
    return this.#all as Mutations;
  }

  find(id: string): Entry | undefined {
    return this.#list().find((entry) => entry.id === id);
  }

  /** Adds a change unless it is known. */
  insert(entry: Entry): void {
    if (this.find(entry.id) !== undefined) return;
    const { pending, failed } = this.#all;
    const change: Pending = { ...entry, state: "waiting", isSeen: false };
    this.#all =
      entry.error === undefined
        ? { failed, pending: [...pending, change].toSorted((a, b) => (a.seq < b.seq ? -1 : 1)) }
        : { pending, failed: [...failed, entry] };
    this.#onChange();
  }

  update(id: string, fields: Partial<Pending>): void {
    const found = this.pending.find((change) => change.id === id);
    if (found === undefined) return;
    const { pending, failed } = this.#all;
    const changed = pending.map((one) => (one === found ? { ...one, ...fields } : one));
    this.#all = { failed, pending: changed };
    this.#onChange();
  }

  /** Removes the changes that a function selects, and returns them. */
  remove(isRemoved: (change: Entry & Partial<Pending>) => boolean): Entry[] {
    const removed = this.#list().filter(isRemoved);
    if (removed.length === 0) return [];
    const stays = (change: Entry) => !removed.includes(change);
    const { pending, failed } = this.#all;
    this.#all = { pending: pending.filter(stays), failed: failed.filter(stays) };
    this.#onChange();
    return removed;
  }

  #list(): Entry[] {
    return [...this.#all.pending, ...this.#all.failed];
  }
}
