import { badRequest } from "../../platform/errors.ts";

const blockSize = 512;
/** The most bytes of a header with a long name or extended attributes. Exports have no such. */
const maxExtended = 8 * 1024;
/** The types of headers whose content the archive reader collects and parses. */
const extendedTypes = new Set(["x", "g", "K", "L", "N"]);
const type = 156;
const sizeField = [124, 136] as const;

/**
 * Checks the headers of an archive as its bytes arrive, before the archive reader parses them.
 *
 * The reader copies all attributes of a global header for each later header: a few megabytes of
 * headers would stop the process for minutes.
 */
export class TarGuard {
  #unit = Buffer.alloc(0);
  /** The size of the unit that comes next: a header, or the content of an extended header. */
  #need = blockSize;
  #isExtended = false;
  /** The bytes of content until the next header. */
  #skip = 0;

  /** Takes the next bytes; 400 for headers that only an attack has. */
  accept(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      const step = Math.min(this.#skip || this.#need - this.#unit.length, chunk.length - at);
      const part = chunk.subarray(at, at + step);
      at += step;
      if (this.#skip > 0) this.#skip -= step;
      else this.#collect(part);
    }
  }

  #collect(part: Uint8Array) {
    this.#unit = Buffer.concat([this.#unit, part]);
    if (this.#unit.length < this.#need) return;
    const unit = this.#unit;
    const isContent = this.#isExtended;
    this.#unit = Buffer.alloc(0);
    this.#need = blockSize;
    this.#isExtended = false;
    if (!isContent) this.#header(unit);
    // The size of a file would be another one than this guard has read.
    else if (unit.includes(" size="))
      throw badRequest(
        "document_invalid",
        "The archive sets file sizes in extended headers, which is not supported.",
      );
  }

  #header(unit: Buffer) {
    const size = sizeOf(unit);
    const padded = Math.ceil(size / blockSize) * blockSize;
    if (!extendedTypes.has(String.fromCharCode(unit[type] ?? 0))) {
      this.#skip = padded;
      return;
    }
    if (size > maxExtended)
      throw badRequest(
        "document_invalid",
        `A header of the archive has more than ${maxExtended} bytes.`,
      );
    this.#isExtended = size > 0;
    this.#need = padded || blockSize;
  }
}

/** The size of a first entry that is a file; Infinity for what no export begins with. */
export function firstSize(header: Uint8Array): number {
  const unit = Buffer.from(header.subarray(0, blockSize));
  return "0\0".includes(String.fromCharCode(unit[type] ?? 1)) ? sizeOf(unit) : Infinity;
}

/** The size in a header: octal digits only, so that each reader reads the same size. */
function sizeOf(unit: Buffer): number {
  const text = unit.toString("latin1", ...sizeField);
  if (/^\0*$/.test(text)) return 0;
  const [, digits] = /^ *([0-7]+)[ \0]*$/.exec(text) ?? [];
  if (digits === undefined)
    throw badRequest("document_invalid", "A header of the archive is invalid.");
  return Number.parseInt(digits, 8);
}
