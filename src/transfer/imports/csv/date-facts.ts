import { cellText } from "./cells.ts";
import type { FoundColumns } from "./columns.ts";
import { orderIn, type DateOrder } from "./dates.ts";
import { profileOf } from "./profiles.ts";
import { dateTargets } from "./targets.ts";

/** Collects what the cells of a file say about the order of day and month. */
export class DateFacts {
  /** The first date that needs an order. */
  unclear: string | undefined;
  readonly #columns: number[];
  readonly #comments: number[];
  readonly #usual: DateOrder | undefined;
  readonly #counts = { dmy: 0, mdy: 0 };

  constructor({ columns, fields, profile }: Pick<FoundColumns, "columns" | "fields" | "profile">) {
    const ofFields = fields.flatMap(({ at, type }) => (type === "date" ? at : []));
    this.#columns = [...dateTargets.flatMap((target) => columns[target] ?? []), ...ofFields];
    this.#usual = profileOf(profile).order;
    this.#comments = profileOf(profile).comments === "jira" ? (columns.comments ?? []) : [];
  }

  get hasColumns(): boolean {
    return this.#columns.length + this.#comments.length > 0;
  }

  /** The order of the file; undefined when no cell decides it, or cells of both orders are there. */
  get order(): DateOrder | undefined {
    const { dmy, mdy } = this.#counts;
    if (dmy > 0 === mdy > 0) return this.#usual;
    return dmy > 0 ? "dmy" : "mdy";
  }

  take(cells: string[]): void {
    for (const at of this.#columns) this.#takeDate(cellText(cells[at]));
    for (const at of this.#comments) {
      const cell = cells[at] ?? "";
      if (cell !== "") this.#takeDate(cell.slice(0, Math.max(0, cell.slice(0, 80).indexOf(";"))));
    }
  }

  #takeDate(cell: string): void {
    if (cell === "") return;
    const order = orderIn(cell);
    if (order === "unclear") this.unclear ??= cell.trim().slice(0, 60);
    else if (order !== null) this.#counts[order] += 1;
  }
}
