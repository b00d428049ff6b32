import { tracked } from "@trpc/server";
import type { StreamItem } from "../../contract/event-envelope.ts";
import type { Cursors } from "../../kernel/events/cursor.ts";
import type { Tracked } from "../../kernel/events/hub.ts";
import type { LogRow } from "../../kernel/events/log.ts";
import {
  applyRedaction,
  redactionFor,
  type EventAccess,
  type EventReader,
  unchanged,
} from "../../kernel/events/redact.ts";
import { viewEvent } from "../../kernel/events/view.ts";
import { getOrInsert } from "../../platform/maps.ts";

/** An event for many subscriptions, rendered once. */
export class RenderedEvent {
  readonly row: LogRow;
  readonly access: EventAccess;
  readonly #workspacePublicId: string;
  readonly #cursors: Cursors;
  #item: Tracked<StreamItem> | undefined;
  readonly #redacted = new Map<string, RenderedEvent>();

  constructor(row: LogRow, access: EventAccess, workspacePublicId: string, cursors: Cursors) {
    this.row = row;
    this.access = access;
    this.#workspacePublicId = workspacePublicId;
    this.#cursors = cursors;
  }

  /** The item of the stream. */
  get item(): Tracked<StreamItem> {
    const { row } = this;
    return (this.#item ??= tracked<StreamItem>(
      this.#cursors.write(row, row.createdAt),
      viewEvent(row, this.#workspacePublicId),
    ));
  }

  /** The event as a reader can see it; null when they cannot. */
  visibleTo(reader: EventReader): RenderedEvent | null {
    const redaction = redactionFor(reader, this.row, this.access);
    if (redaction === null) return null;
    if (redaction === unchanged) return this;
    return getOrInsert(this.#redacted, redaction, () => {
      const row = applyRedaction(this.row, redaction);
      return new RenderedEvent(row, this.access, this.#workspacePublicId, this.#cursors);
    });
  }
}
