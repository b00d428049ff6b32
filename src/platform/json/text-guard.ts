const quote = 0x22;
const backslash = 0x5c;

/** The maximum length of a number. */
const maxNumber = 64 * 1024;
const isOfNumber = (byte = 0) =>
  (byte >= 0x30 && byte <= 0x39) || [0x2b, 0x2d, 0x2e, 0x45, 0x65].includes(byte);

/**
 * Measures the strings and numbers of a JSON document as its bytes arrive, before a parser
 * collects them.
 */
export class TextGuard {
  readonly #max: number;
  #isInside = false;
  /** The bytes of the current string so far. */
  #length = 0;
  /** Whether the last byte of the previous chunk escapes the first one of the next. */
  #isEscaped = false;
  /** The bytes of the number at the end of the chunk so far. */
  #number = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Takes the next bytes; false when a string or a number has more than the maximum. */
  accept(chunk: Uint8Array): boolean {
    return this.#acceptStrings(chunk) && this.#acceptNumber(chunk);
  }

  /** A number within a chunk is short: only the end of the chunk is measured. */
  #acceptNumber(chunk: Uint8Array): boolean {
    let start = chunk.length;
    while (start > 0 && !this.#isInside && isOfNumber(chunk[start - 1])) start--;
    this.#number = chunk.length - start + (start === 0 ? this.#number : 0);
    return this.#number <= maxNumber;
  }

  #acceptStrings(chunk: Uint8Array): boolean {
    for (let at = 0; at < chunk.length;) {
      if (!this.#isInside) {
        const open = chunk.indexOf(quote, at);
        if (open < 0) return true;
        this.#isInside = true;
        this.#length = 0;
        at = open + 1;
      }
      const close = this.#closeOf(chunk, at);
      const end = close ?? chunk.length;
      this.#length += end - at;
      if (this.#length > this.#max) return false;
      this.#isInside = close === undefined;
      at = end + 1;
    }
    return true;
  }

  /** The index of the quote that closes the string; undefined when a later chunk has it. */
  #closeOf(chunk: Uint8Array, start: number): number | undefined {
    let from = start;
    if (this.#isEscaped && from < chunk.length) {
      this.#isEscaped = false;
      from += 1;
    }
    for (let next = chunk.indexOf(quote, from); ; next = chunk.indexOf(quote, from)) {
      const end = next < 0 ? chunk.length : next;
      let slashes = 0;
      while (end - slashes > from && chunk[end - slashes - 1] === backslash) slashes++;
      const isEscaped = slashes % 2 === 1;
      if (next < 0) {
        this.#isEscaped = isEscaped;
        return undefined;
      }
      if (!isEscaped) return next;
      from = next + 1;
    }
  }
}
