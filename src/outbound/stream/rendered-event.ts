import type { TrackedItem } from "../../kernel/events/hub.ts";
import { tracked } from "@trpc/server";
import type { Cursors } from "../../kernel/events/cursor.ts";
import type { LogRow } from "../../kernel/events/log.ts";
import { redact, type Boards, type Reader } from "../../kernel/events/redact.ts";
import { viewEvent } from "../../kernel/events/view.ts";
import type { StreamItem } from "../../contract/event-envelope.ts";

/** An event on its way to many: what they are told is made once. */
export class RenderedEvent {
  readonly row: LogRow;
  readonly boards: Boards;
  readonly #workspacePublicId: string;
  readonly #cursors: Cursors;
  #item: TrackedItem | undefined;
  #departure: RenderedEvent | undefined;

  constructor(row: LogRow, boards: Boards, workspacePublicId: string, cursors: Cursors) {
    this.row = row;
    this.boards = boards;
    this.#workspacePublicId = workspacePublicId;
    this.#cursors = cursors;
  }

  /** What is told. */
  get item(): TrackedItem {
    const { row } = this;
    return (this.#item ??= tracked<StreamItem>(
      this.#cursors.write(row, row.createdAt),
      viewEvent(row, this.#workspacePublicId),
    ));
  }

  /** It as a reader may be told of it; null when it is not for them. */
  seenBy(reader: Reader): RenderedEvent | null {
    const row = redact(reader, this.row, this.boards);
    if (row === null || row === this.row) return row && this;
    return (this.#departure ??= new RenderedEvent(
      row,
      this.boards,
      this.#workspacePublicId,
      this.#cursors,
    ));
  }
}
