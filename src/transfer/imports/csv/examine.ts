import { columnsIn, type ColumnOptions, type FoundColumns } from "./columns.ts";
import { checkHead, encodingAt, openCsv, type CsvFile, type CsvFormat } from "./lines.ts";

/** Whether bytes are valid UTF-8; a character at their end may be cut off. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Reads the header of a file by its first bytes; 400 when it is no CSV, or lacks a column. */
export async function examineCsv(
  head: Uint8Array,
  open: () => Promise<AsyncIterable<Uint8Array>>,
  options: CsvFormat & ColumnOptions,
): Promise<FoundColumns> {
  const { columns, fields, file } = await startReading(head, open, options);
  await file.close();
  return { columns, fields };
}

/** Opens a file and finds its columns; the caller reads or closes its lines. */
export async function startReading(
  head: Uint8Array,
  open: () => Promise<AsyncIterable<Uint8Array>>,
  options: CsvFormat & ColumnOptions,
) {
  checkHead(head);
  const guess = encodingAt(head) ?? (isUtf8(head) ? "utf-8" : "windows-1252");
  const encoding = options.encoding ?? guess;
  const file: CsvFile = await openCsv(await open(), { ...options, encoding });
  try {
    return { file, encoding, ...columnsIn(file.header, options) };
  } catch (error) {
    await file.close();
    throw error;
  }
}
