import { TokenParser, Tokenizer, TokenType } from "@streamparser/json";
import { TextGuard } from "./text-guard.ts";

/** Which parts of a JSON object to read: fields as a whole, lists element by element. */
export type JsonFormat = {
  fields: readonly string[];
  lists: readonly string[];
  /** The most tokens of one element. */
  maxTokens: number;
  /** Called for each field at the top, before its value is read. */
  onField?: (name: string, isList: boolean) => void;
};

/** The value of a field, or one element of a list. */
export type JsonPart = { field: string; index: number; value: unknown };

/** A problem of a JSON document; `at` is a byte offset or a field. */
export class JsonError extends Error {
  readonly problem: "object" | "syntax" | "end" | "depth" | "tokens" | "text" | "bytes";
  readonly at: number | string | undefined;
  constructor(problem: JsonError["problem"], at?: number | string) {
    super(`JSON: ${problem} ${at ?? ""}`);
    this.problem = problem;
    this.at = at;
  }
}

const maxDepth = 100;
/** The most bytes of one text: no field of ours holds more than 100,000 characters. */
const maxTextBytes = 4 * 1024 * 1024;
/** The most bytes of one element. */
const maxElementBytes = 64 * 1024 * 1024;

/** Reads a JSON object from a stream. Yields, for each chunk, what it completes. */
export async function* readJson(
  bytes: AsyncIterable<Uint8Array>,
  format: JsonFormat,
): AsyncGenerator<JsonPart[]> {
  const { fields, lists } = format;
  const paths = [...fields.map((name) => `$.${name}`), ...lists.map((name) => `$.${name}.*`)];
  const tokens = new Tokenizer();
  const values = new TokenParser({ paths, keepStack: false });
  const guard = new TextGuard(maxTextBytes);
  const budget = new TokenBudget(format);
  let offset = 0;
  let refusal: unknown;
  tokens.onToken = (token) => {
    offset = token.offset;
    try {
      budget.take(token.token, token.value, token.offset);
    } catch (error) {
      refusal = error;
      throw error;
    }
    values.write(token);
  };
  let parts: JsonPart[] = [];
  values.onValue = ({ value, key, stack }) => {
    const isField = stack.length === 1;
    const field = String(isField ? key : stack[1]?.key);
    parts.push({ field, index: isField ? 0 : Number(key), value });
  };
  let size = 0;
  let unfinishedBytes = 0;
  for await (const chunk of bytes) {
    if (!guard.accept(chunk)) throw new JsonError("text", budget.field);
    try {
      tokens.write(chunk);
    } catch (error) {
      throw refusal ?? syntaxError(error, offset);
    }
    size += chunk.byteLength;
    unfinishedBytes =
      parts.length > 0 || !budget.isInElement ? 0 : unfinishedBytes + chunk.byteLength;
    if (unfinishedBytes > maxElementBytes) throw new JsonError("bytes", budget.field);
    yield parts;
    parts = [];
  }
  if (!values.isEnded) throw new JsonError("end", size);
}

/** An element with more tokens must have at least `minTokenBytes` for each: `{},{},…` has one. */
const freeTokens = 200_000;
const minTokenBytes = 4;

/** Limits the depth of a document and the tokens of an element, and reports its fields. */
class TokenBudget {
  field: string | undefined;
  readonly #format: JsonFormat;
  #depth = 0;
  #count = 0;
  /** Where the tokens of the element start. */
  #start = 0;
  #last: unknown;
  #isOpening = false;

  constructor(format: JsonFormat) {
    this.#format = format;
  }

  get isInElement(): boolean {
    return this.#depth > 1;
  }

  get #isField(): boolean {
    return this.field !== undefined && this.#format.fields.includes(this.field);
  }

  take(token: TokenType, value: unknown, offset: number): void {
    if (this.#isOpening) {
      this.#isOpening = false;
      this.#format.onField?.(this.field ?? "", token === TokenType.LEFT_BRACKET);
    }
    if (this.#depth === 0 && token !== TokenType.LEFT_BRACE) throw new JsonError("object");
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) this.#depth++;
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) this.#depth--;
    if (this.#depth > maxDepth) throw new JsonError("depth");
    this.#checkCount(offset);
    if (token === TokenType.COLON && this.#depth === 1) {
      this.field = String(this.#last);
      this.#isOpening = true;
    }
    this.#last = value;
  }

  #checkCount(offset: number): void {
    // The elements of a list are counted one by one, a field as a whole.
    if (this.#depth <= (this.#isField ? 1 : 2)) {
      this.#count = 0;
      this.#start = offset;
      return;
    }
    this.#count++;
    const isDense = this.#count > freeTokens && this.#count * minTokenBytes > offset - this.#start;
    if (isDense || this.#count > this.#format.maxTokens) throw new JsonError("tokens", this.field);
  }
}

function syntaxError(error: unknown, offset: number): JsonError {
  const message = error instanceof Error ? error.message : "";
  const position = /absolute position "(\d+)"/.exec(message)?.[1];
  return new JsonError("syntax", position === undefined ? offset : Number(position));
}
