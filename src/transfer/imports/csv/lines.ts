import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CsvError, parse as csvParser } from "csv-parse";
import { z } from "zod";
import { badRequest, Failure } from "../../../platform/errors.ts";
import { parse, parseTask } from "../../../platform/parsing/pool.ts";
import { CellGuard } from "./cell-guard.ts";

/** How a file is written; what is not given is detected. */
export const csvFormat = {
  delimiter: z
    .enum(["comma", "semicolon", "tab", "pipe"])
    .meta({ id: "CsvDelimiter", description: "What separates the cells of a CSV file." })
    .optional()
    .meta({
      description: "What separates cells. Without it, the header decides.",
      examples: ["semicolon"],
    }),
  encoding: z
    .enum(["utf-8", "utf-16le", "utf-16be", "windows-1252"])
    .meta({ id: "CsvEncoding", description: "The encoding of a CSV file." })
    .optional()
    .meta({
      description:
        "The encoding of the text. Without it, a byte order mark decides; text that is not valid " +
        "UTF-8 is read as Windows-1252.",
      examples: ["utf-8"],
    }),
};
export const CsvFormat = z.object(csvFormat);
export type CsvFormat = z.infer<typeof CsvFormat>;
export type Encoding = NonNullable<CsvFormat["encoding"]>;
type Delimiter = NonNullable<CsvFormat["delimiter"]>;

const delimiters = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" } as const;
const names: Delimiter[] = ["comma", "semicolon", "tab", "pipe"];

/** The most columns of a file, cells of a line, and characters of a line. */
export const maxColumns = 500;
const maxCells = 20_000;
const maxLineLength = 1_000_000;

/** A file that is not CSV, or damaged. */
const notCsv = (message: string) => badRequest("file_unreadable", message);

/** The encoding of a file by its first bytes; undefined when these do not decide. */
export function encodingAt([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb && third === 0xbf ? "utf-8" : undefined;
}

/** Throws 400 if the first bytes of a file show that it is not text. */
export function checkHead(head: Uint8Array): void {
  const start = Buffer.from(head.subarray(0, 4)).toString("latin1");
  if (start.startsWith("PK\u0003\u0004") || start.startsWith("\u00D0\u00CF\u0011\u00E0"))
    throw notCsv("This is a spreadsheet file, not CSV: save it as CSV in your spreadsheet.");
  if (encodingAt(head)?.startsWith("utf-16") !== true && head.includes(0))
    throw notCsv("This is not a text file: it contains NUL bytes.");
}

/** Detects the encoding of a whole file: UTF-8 if all of it is valid. */
export async function encodingOf(bytes: AsyncIterable<Uint8Array>): Promise<Encoding> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isFirst = true;
  try {
    for await (const chunk of bytes) {
      const marked = isFirst ? encodingAt(chunk) : undefined;
      if (marked !== undefined && marked !== "utf-8") return marked;
      isFirst = false;
      decoder.decode(chunk, { stream: true });
    }
    decoder.decode();
    return "utf-8";
  } catch (error) {
    if (error instanceof TypeError) return "windows-1252";
    throw error;
  }
}

/** The text of a file. `stream` matters: without it, Node 20 decodes Windows-1252 as Latin-1. */
async function* textOf(bytes: AsyncIterable<Uint8Array>, encoding: Encoding) {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** Excel writes `sep=;` as a first line. */
const sepLine = /^sep=(.)\r?\n/;

/** How much of a text decides about the delimiter. */
const decidingLength = 100_000;

/**
 * The delimiter that the first line of a text contains most often, outside of quotes. A first line
 * without any, such as the title of a table, leaves it to the first one with two.
 */
function delimiterOf(start: string): Delimiter {
  let counts = { comma: 0, semicolon: 0, tab: 0, pipe: 0 };
  let [isQuoted, needed] = [false, 1];
  for (const character of start.slice(0, decidingLength)) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    const name = names.find((delimiter) => delimiters[delimiter] === character);
    if (name !== undefined) counts[name] += 1;
    if (character !== "\n" && character !== "\r") continue;
    if (Math.max(...Object.values(counts)) >= needed) break;
    [counts, needed] = [{ comma: 0, semicolon: 0, tab: 0, pipe: 0 }, 2];
  }
  return names.toSorted((one, other) => counts[other] - counts[one])[0] ?? "comma";
}

/** A line of a file, which can have several lines of text; `line` is the number of its last one. */
export type CsvLine = { line: number; cells: string[] };

/** A file that is being read: its first lines, and an iterator of the others. */
export type CsvFile = {
  delimiter: Delimiter;
  first: CsvLine[];
  lines: AsyncIterable<CsvLine>;
  close: () => Promise<void>;
};

/** Opens a file; 400 without lines. `close` the lines when they are not read to their end. */
export async function openCsv(
  bytes: AsyncIterable<Uint8Array>,
  format: CsvFormat & { encoding: Encoding },
  signal?: AbortSignal,
): Promise<CsvFile> {
  const values = parse(csvTask, bytes, format, signal);
  const { value: head } = await values.next();
  if (head === undefined || Array.isArray(head)) throw new Error("The first lines come first.");
  return {
    ...head,
    lines: linesOf(values),
    close: async () => void (await values.return(undefined)),
  };
}

async function* linesOf(values: AsyncGenerator<CsvHead | CsvLine[], void>) {
  for await (const value of values) if (Array.isArray(value)) yield* value;
}

/** What comes before the other lines of a file. */
type CsvHead = Pick<CsvFile, "delimiter" | "first">;

const linesAtOnce = 100;
/** Among so many first lines is the header. */
const firstLines = 30;

/** Reads a file: its first lines, then the others. Runs in a thread. */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  { encoding, delimiter: givenDelimiter }: CsvFormat & { encoding: Encoding },
): AsyncGenerator<CsvHead | CsvLine[]> {
  const text = textOf(bytes, encoding);
  const { value: first } = await text.next();
  const start = (first ?? "").replace(/^\uFEFF/, "");
  const sep = sepLine.exec(start)?.[1];
  const ofSep = names.find((delimiter) => delimiters[delimiter] === sep);
  const delimiter = givenDelimiter ?? ofSep ?? delimiterOf(start);
  const body = start.slice(sep === undefined ? 0 : (sepLine.exec(start)?.[0].length ?? 0));
  const lines = parsed(body, text, delimiter);
  try {
    const head = await startOf(lines);
    yield { delimiter, first: head.first };
    if (head.failure !== undefined) throw head.failure;
    let batch: CsvLine[] = [];
    for await (const line of lines) {
      if (batch.push(line) < linesAtOnce) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } finally {
    await lines.return(undefined);
  }
}

/** The first lines; an error in a later one of them is for those who read on. */
async function startOf(lines: AsyncGenerator<CsvLine, undefined>) {
  const first: CsvLine[] = [];
  try {
    while (first.length < firstLines) {
      const { value } = await lines.next();
      if (value === undefined) break;
      first.push(value);
    }
  } catch (failure) {
    if (first.length === 0) throw failure;
    return { first, failure };
  }
  if (first.length > 0) return { first, failure: undefined };
  throw badRequest("file_empty", "The file has no lines. Its first one names columns.");
}

const csvTask = parseTask(import.meta.url, "The file", { readCsv });

async function* joined(start: string, rest: AsyncGenerator<string>) {
  yield start;
  yield* rest;
}

const Parsed = z.object({ info: z.object({ lines: z.int() }), record: z.array(z.string()) });

async function* parsed(
  start: string,
  rest: AsyncGenerator<string>,
  delimiter: Delimiter,
): AsyncGenerator<CsvLine, undefined> {
  const guard = new CellGuard(delimiters[delimiter], { header: maxColumns, line: maxCells });
  async function* all() {
    for await (const text of joined(start, rest)) {
      const tooWide = guard.accept(text);
      if (tooWide === "header") throw notCsv(`The file has more than ${maxColumns} columns.`);
      if (tooWide === "line") throw notCsv(`A line has more than ${maxCells} cells.`);
      yield text;
    }
  }
  const parser = csvParser({
    delimiter: delimiters[delimiter],
    info: true,
    max_record_size: maxLineLength,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  });
  // An error here ends the stream that is read below.
  let failure: unknown;
  const filling = pipeline(Readable.from(all()), parser).catch((error: unknown) => {
    failure ??= error;
  });
  try {
    for await (const value of parser) {
      const { info, record } = Parsed.parse(value);
      yield { line: info.lines, cells: record };
    }
  } catch (error) {
    await filling;
    // The reader's error hides that of what it reads.
    const cause = failure instanceof Failure ? failure : error;
    throw cause instanceof CsvError ? notCsv(messageOf(cause)) : cause;
  } finally {
    parser.destroy();
    await filling;
  }
}

function messageOf({ code, lines }: CsvError & { lines?: unknown }): string {
  const at = typeof lines === "number" ? ` at line ${lines}` : "";
  if (code === "CSV_QUOTE_NOT_CLOSED")
    return `The file ends inside a quoted cell${at}: a quote is not closed.`;
  if (code === "CSV_MAX_RECORD_SIZE")
    return `A line has more than ${maxLineLength.toLocaleString("en")} characters${at}: a quote may not be closed.`;
  return `The file is not valid CSV${at}.`;
}
