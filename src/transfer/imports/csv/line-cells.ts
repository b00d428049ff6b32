import { cellText, isNothing } from "./cells.ts";
import type { Columns } from "./columns.ts";
import type { AnyTarget } from "./targets.ts";

/** The cells of a line by their targets. */
export class LineCells {
  readonly #cells: string[];
  readonly #columns: Columns;

  constructor(cells: string[], columns: Columns) {
    this.#cells = cells;
    this.#columns = columns;
  }

  /** The cells of a target, the preferred first. */
  all(target: AnyTarget): string[] {
    return (this.#columns[target] ?? []).map((at) => cellText(this.#cells[at]));
  }

  /** The first cell that is not empty; "" without one. */
  text(target: AnyTarget): string {
    const cells = this.all(target);
    return cells.find((cell) => cell.trim() !== "") ?? cells[0] ?? "";
  }

  /** The cells that say something, with the positions of their columns. */
  values(target: AnyTarget): { at: number; cell: string }[] {
    return (this.#columns[target] ?? []).flatMap((at) => {
      const cell = cellText(this.#cells[at]);
      return isNothing(cell) ? [] : [{ at, cell }];
    });
  }
}
