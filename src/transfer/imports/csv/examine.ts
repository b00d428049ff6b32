import { badRequest, Failure } from "../../../platform/errors.ts";
import { checkTitle, type Columns } from "./columns.ts";
import type { DateOrder } from "./dates.ts";
import { DateFacts } from "./date-facts.ts";
import type { HeaderOptions } from "./header.ts";
import { checkHead, encodingAt, type CsvFormat } from "./lines.ts";
import { openTable, type CsvTable } from "./table.ts";

type Options = CsvFormat & HeaderOptions & { dateOrder?: DateOrder | undefined };

/** Whether bytes are valid UTF-8; a character at their end may be cut off. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads a file by its first bytes and, for the order of its dates, to its end. 400 when it is no CSV,
 * lacks a column of titles, or has dates that may be read in two ways.
 */
export async function examineCsv(
  head: Uint8Array,
  open: () => Promise<AsyncIterable<Uint8Array>>,
  options: Options,
): Promise<Columns> {
  const { table } = await startReading(head, open, options);
  try {
    checkTitle(table.header, table.columns);
    if (options.dateOrder === undefined) await checkDates(table);
  } finally {
    await table.close();
  }
  return table.columns;
}

/** Lines beyond so many are not imported. */
export const maxLines = 100_000;

/** Throws 400 if dates need an order that no date of the file decides. */
async function checkDates(table: CsvTable): Promise<void> {
  const facts = new DateFacts(table);
  if (!facts.hasColumns) return;
  let count = 0;
  try {
    for await (const { cells } of table.lines) {
      facts.take(cells);
      if (++count > maxLines) break;
    }
  } catch (error) {
    // The import itself says what is wrong with a later line.
    if (!(error instanceof Failure)) throw error;
  }
  if (facts.order !== undefined || facts.unclear === undefined) return;
  const message =
    `Which is the day and which the month of ${facts.unclear}? No date of the file decides it: ` +
    "send dateOrder.";
  throw badRequest("required", message, ["dateOrder"]);
}

/** Opens a file and finds its columns; the caller reads or closes its lines. */
export async function startReading(
  head: Uint8Array,
  open: () => Promise<AsyncIterable<Uint8Array>>,
  options: Options,
) {
  checkHead(head);
  const guess = encodingAt(head) ?? (isUtf8(head) ? "utf-8" : "windows-1252");
  const encoding = options.encoding ?? guess;
  return { encoding, table: await openTable(await open(), { ...options, encoding }) };
}
