import { tracked } from "@trpc/server";
import type { Cursors } from "../events/cursor.ts";
import type { LogRow } from "../events/log.ts";
import type { Boards } from "../events/sight.ts";
import { viewEvent, type StreamItem } from "../events/view.ts";

/** One thing that a stream tells, with the cursor after it. */
export type Item = ReturnType<typeof tracked<StreamItem>>;

/** An event on its way to many: what they are told is made once. */
export class Told {
  readonly row: LogRow;
  readonly boards: Boards;
  readonly #workspacePublicId: string;
  readonly #cursors: Cursors;
  #item: Item | undefined;

  constructor(row: LogRow, boards: Boards, workspacePublicId: string, cursors: Cursors) {
    this.row = row;
    this.boards = boards;
    this.#workspacePublicId = workspacePublicId;
    this.#cursors = cursors;
  }

  /** What is told. */
  get item(): Item {
    const { row } = this;
    return (this.#item ??= tracked<StreamItem>(
      this.#cursors.write(row, row.createdAt),
      viewEvent(row, this.#workspacePublicId),
    ));
  }
}
