/** The most cells of the first line, and of any other. */
type MaxCells = { header: number; line: number };

/**
 * Counts the cells of CSV lines as their text arrives, before a parser makes them: a line of
 * delimiters has half a million.
 */
export class CellGuard {
  readonly #delimiter: string;
  readonly #max: MaxCells;
  #cells = 1;
  #isHeader = true;
  /** Whether a quote would open a quoted cell here. */
  #isStart = true;
  #isQuoted = false;
  /** Whether the last character was a quote in a quoted cell, which may have closed it. */
  #isClosing = false;

  constructor(delimiter: string, max: MaxCells) {
    this.#delimiter = delimiter;
    this.#max = max;
  }

  /** Takes the next text; says which line has more cells than the maximum. */
  accept(text: string): keyof MaxCells | undefined {
    for (const sign of text) {
      if (this.#isQuoted && !this.#take(sign)) continue;
      if (sign === this.#delimiter) {
        this.#cells += 1;
        this.#isStart = true;
        if (this.#cells > this.#max[this.#line]) return this.#line;
      } else if (sign === "\n" || sign === "\r") this.#endLine();
      else if (sign === '"' && this.#isStart) {
        this.#isQuoted = true;
        this.#isStart = false;
      } else this.#isStart = false;
    }
    return undefined;
  }

  get #line(): keyof MaxCells {
    return this.#isHeader ? "header" : "line";
  }

  /** Takes a character of a quoted cell; true when it is the first one after the cell. */
  #take(sign: string): boolean {
    const ends = this.#isClosing && (sign === this.#delimiter || sign === "\n" || sign === "\r");
    // Two quotes are one in the cell.
    this.#isClosing = !this.#isClosing && sign === '"';
    if (ends) this.#isQuoted = false;
    return ends;
  }

  #endLine() {
    // Empty lines are skipped.
    if (this.#cells > 1 || !this.#isStart) this.#isHeader = false;
    this.#cells = 1;
    this.#isStart = true;
  }
}
