import type { BoardCopy } from "./copy.ts";
import type { Pending } from "./fields.ts";
import { Listeners } from "./listeners.ts";
import type { Outbox } from "./outbox.ts";
import type { SubscriptionCache } from "./subscriptions.ts";
import type { Entry, Mutations } from "./types.ts";

/** Shows copies with the changes that are not confirmed yet, and notifies subscribers. */
export class Display {
  readonly boards = new Listeners();
  readonly mutations = new Listeners();
  readonly #outbox: Outbox;
  readonly #subscriptions: SubscriptionCache;
  /** The boards to show when the running step ends; undefined when nothing has changed. */
  #changed: Set<BoardCopy> | undefined;
  /** The changes that the subscribers have seen. */
  #shown: Mutations | undefined;
  #depth = 0;
  #onShown: (() => void)[] = [];

  constructor(outbox: Outbox, subscriptions: SubscriptionCache) {
    this.#outbox = outbox;
    this.#subscriptions = subscriptions;
  }

  /** Runs a step; subscribers see its result, and nothing between. `isLast`: it is shown now. */
  step(run?: () => void, isLast = true): void {
    this.#depth++;
    try {
      run?.();
      if (isLast) while (this.#depth === 1 && this.#changed) this.#show(this.#changed);
    } finally {
      this.#depth--;
      if (isLast && this.#depth === 0) for (const call of this.#onShown.splice(0)) call();
    }
  }

  /** Runs a step that is shown with those that follow at once: events often come many together. */
  collect(run: () => void, onShown: () => void): void {
    this.step(run, false);
    if (this.#onShown.push(onShown) === 1) setTimeout(() => this.step());
  }

  /** Shows copies again at the end of the step. */
  change(copies: Iterable<BoardCopy>): void {
    this.step(() => {
      this.#changed = new Set([...(this.#changed ?? []), ...copies]);
    });
  }

  #show(changedCopies: Set<BoardCopy>): void {
    const confirmed = [...changedCopies].flatMap(({ publicId, order }) =>
      this.#outbox.settle(publicId, order),
    ) as Pending[];
    this.#changed = undefined;
    this.#subscriptions.confirm(confirmed);
    const before = this.#shown;
    for (const copy of changedCopies) {
      const isShown = ({ boardPublicId, card }: Entry) =>
        boardPublicId === copy.publicId || card !== undefined;
      copy.show(this.#outbox.changes.pending.filter(isShown));
    }
    this.#subscriptions.show();
    this.boards.notify();
    this.#shown = this.#outbox.changes.snapshot();
    if (this.#shown !== before) this.mutations.notify();
  }
}
