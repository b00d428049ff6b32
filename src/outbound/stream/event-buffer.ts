import type { CallerMembership } from "../../kernel/access/memberships.ts";
import { matchesFilter } from "../../kernel/events/filter.ts";
import type { LogFilter } from "../../kernel/events/log-sql.ts";
import { readerOf } from "../../kernel/events/page.ts";
import type { RenderedEvent } from "./rendered-event.ts";

/** How many events wait for a client before it must read from the log again. */
const maxEvents = 500;

/** The events of a tail that wait to be sent to one client, filtered and redacted for it. */
export class EventBuffer {
  readonly #filter: LogFilter;
  #events: RenderedEvent[] = [];
  #isOverflown = false;

  constructor(filter: LogFilter) {
    this.#filter = filter;
  }

  /** Whether events were dropped since the last `clear`. */
  get isOverflown(): boolean {
    return this.#isOverflown;
  }

  get hasEvents(): boolean {
    return this.#events.length > 0;
  }

  /** Whether everything was read and nothing was dropped. */
  get isEmpty(): boolean {
    return !this.hasEvents && !this.#isOverflown;
  }

  add(events: RenderedEvent[], membership: CallerMembership): void {
    const reader = readerOf(membership);
    for (const event of events) {
      if (this.#isOverflown) return;
      if (!matchesFilter(event.row, this.#filter)) continue;
      const visible = event.visibleTo(reader);
      // Redaction can move the event to a board that the filter excludes.
      if (visible === null || !matchesFilter(visible.row, this.#filter)) continue;
      if (this.#events.length < maxEvents) this.#events.push(visible);
      else this.#isOverflown = true;
    }
  }

  next(): RenderedEvent | undefined {
    return this.#events.shift();
  }

  clear(): void {
    this.#events = [];
    this.#isOverflown = false;
  }
}
