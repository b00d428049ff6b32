import type { Pending } from "./fields.ts";
import { mapItems } from "./rows.ts";
import type { Entry, Mutations } from "./types.ts";

/** The key under which a change is stored. */
export const keyOf = ({ boardPublicId, seq, id }: Entry): string =>
  `change/${boardPublicId}/${seq}/${id}`;

/** Sorts changes by the order in which they were made. */
export const bySeq = (a: Entry, b: Entry): number => (a.seq < b.seq ? -1 : 1);

/** The ids of a change: its own, and those of the board, card, list, labels, fields that it names. */
const idsOf = (entry: Entry): unknown[] =>
  Object.entries({ ...entry, ...entry.input }).flatMap(([name, value]) => {
    if (name === "fields") return Object.keys(value ?? {});
    return /ids?$/i.test(name) ? value : [];
  });

/** The first change that shares no id with one that is held, nor with one that waits for it. */
export function nextOf(inOrder: Entry[], heldIds: ReadonlySet<string>): Entry | undefined {
  const waiting = new Set<unknown>(heldIds);
  return inOrder.find((entry) => {
    const ids = idsOf(entry);
    const isFree = ids.every((id) => !waiting.has(id));
    for (const id of ids) waiting.add(id);
    return isFree;
  });
}

/** Selects the changes of a board, or all. */
export const isOf = (boardPublicId: string | undefined) => (change: { boardPublicId: string }) =>
  boardPublicId === undefined || change.boardPublicId === boardPublicId;

/** The changes that are not confirmed yet, in their order, and those that failed. */
export class Changes {
  #all: { pending: Pending[]; failed: Entry[] } = { pending: [], failed: [] };
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

  /** Adds a change unless it is already there. */
  insert(entry: Entry, isOwn = false): void {
    if (this.find(entry.id) !== undefined) return;
    const { pending, failed } = this.#all;
    const change: Pending = { ...entry, state: "waiting", isSeen: false, isOwn };
    if (entry.error === undefined) this.#set([...pending, change].toSorted(bySeq), failed);
    else this.#set(pending, [...failed, entry]);
  }

  update(id: string | undefined, fields: Partial<Pending>): void {
    const { pending, failed } = this.#all;
    const next = mapItems(pending, (entry) => (entry.id === id ? { ...entry, ...fields } : entry));
    if (next !== pending) this.#set(next, failed);
  }

  /** Removes the changes that a function selects, and returns them. */
  remove(isRemoved: (change: Entry & Partial<Pending>) => boolean): Entry[] {
    const removed = this.#list().filter(isRemoved);
    const stays = (change: Entry) => !removed.includes(change);
    const { pending, failed } = this.#all;
    if (removed.length > 0) this.#set(pending.filter(stays), failed.filter(stays));
    return removed;
  }

  delete(id: string): void {
    this.remove((entry) => entry.id === id);
  }

  #list(): Entry[] {
    return [...this.#all.pending, ...this.#all.failed];
  }

  #set(pending: Pending[], failed: Entry[]): void {
    this.#all = { pending, failed };
    this.#onChange();
  }
}
