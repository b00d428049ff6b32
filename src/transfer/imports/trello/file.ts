import { TokenParser, Tokenizer, TokenType } from "@streamparser/json";
import { ImportFailure } from "../failure.ts";
import type { Reading } from "./reading.ts";
import { TrelloBoardShape } from "./shapes.ts";

const many = [
  "lists",
  "labels",
  "members",
  "customFields",
  "cards",
  "checklists",
  "actions",
  "pluginData",
  "powerUps",
];
const single = ["id", "name", "desc", "closed"];
const paths = [...single.map((field) => `$.${field}`), ...many.map((field) => `$.${field}.*`)];

/** No export of Trello's nests deeper by far. */
const deepest = 100;

/** The most tokens of one thing in it: a card with a thousand attachments has a third of that. */
const mostTokens = 1_000_000;

/** Reads the file that Trello's "Export as JSON" writes, as it streams by; throws what is wrong with it as a sentence. */
export async function readExport(
  bytes: AsyncIterable<Uint8Array>,
  reading: Reading,
  pause: () => Promise<void>,
): Promise<void> {
  const board: Record<string, unknown> = {};
  const fields = new Set<string>();
  const tokens = new Tokenizer();
  const values = new TokenParser({ paths, keepStack: false });
  let depth = 0;
  let count = 0;
  let last: unknown;
  tokens.onToken = (token) => {
    const { token: kind, value } = token;
    if (kind === TokenType.LEFT_BRACE || kind === TokenType.LEFT_BRACKET) depth += 1;
    if (kind === TokenType.RIGHT_BRACE || kind === TokenType.RIGHT_BRACKET) depth -= 1;
    if (depth > deepest)
      throw new ImportFailure("The file nests too deep to be an export of Trello's.");
    count = depth > 2 ? count + 1 : 0;
    if (count > mostTokens)
      throw new ImportFailure("Something in the file is too large to be of an export of Trello's.");
    if (kind === TokenType.COLON && depth === 1) fields.add(String(last));
    last = value;
    values.write(token);
  };
  let found: { field: string; value: unknown }[] = [];
  values.onValue = ({ value, key, stack }) => {
    if (stack.length === 1) board[String(key)] = value;
    else found.push({ field: String(stack[1]?.key), value });
  };
  let size = 0;
  for await (const chunk of bytes) {
    try {
      tokens.write(chunk);
    } catch (error) {
      throw error instanceof ImportFailure ? error : broken(error, chunk, size);
    }
    size += chunk.byteLength;
    for (const { field, value } of found) reading.take(field, value);
    found = [];
    await reading.staging.settle();
    await pause();
  }
  if (!values.isEnded) {
    throw new ImportFailure(`The file ends in the middle, after ${size} bytes: it was cut off.`);
  }
  const missing = ["id", "lists", "cards"].filter((field) => !fields.has(field));
  const read = TrelloBoardShape.safeParse(board);
  if (missing.length > 0 || !read.success) {
    const what = missing.length > 0 ? `has no “${missing.join("”, “")}”` : "has an id that is none";
    throw new ImportFailure(`This is JSON, but not what Trello's board export writes: it ${what}.`);
  }
  Object.assign(reading.board, read.data);
}

function broken(error: unknown, chunk: Uint8Array, size: number): ImportFailure {
  const page = size === 0 && /^\s*</.test(Buffer.from(chunk.subarray(0, 100)).toString("latin1"));
  if (page)
    return new ImportFailure(
      "The file is a web page, not JSON: sign in to Trello and export again.",
    );
  const position = /absolute position "(\d+)"/.exec(
    error instanceof Error ? error.message : "",
  )?.[1];
  const where = position === undefined ? `behind byte ${size}` : `at byte ${position}`;
  return new ImportFailure(`The file is not JSON: it breaks ${where}.`);
}
