import { conflict } from "../../platform/errors.ts";

/** The most rows that one call copies. */
export const mostCopied = 200_000;
/** What a copied row takes beside its texts. */
const rowBytes = 64;

/** Counts the rows that a transaction copies: they count for the limits of the caller. */
export class CopiedRows {
  count = 0;
  bytes = 0;

  /** Adds rows before they are copied, with the bytes of their texts; 409 for too many. */
  add(rows: readonly { bytes: number }[]): void {
    this.count += rows.length;
    for (const { bytes } of rows) this.bytes += bytes + rowBytes;
    if (this.count <= mostCopied) return;
    throw conflict("limit_exceeded", `A call copies at most ${mostCopied} rows.`);
  }
}
