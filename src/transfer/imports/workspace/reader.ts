import { TokenParser, Tokenizer, TokenType } from "@streamparser/json";
import { sections } from "../../exports/format.ts";
import { badRequest, Failure } from "../../../platform/errors.ts";

/** A part of the document that is a list. */
export type ListName = "roles" | "members" | "boards" | "cards";

/** A part of the document. */
export type SectionName = keyof typeof sections;

/** A part of the document that is no list, or one item of one that is. */
export type Piece = { section: SectionName; index: number; value: unknown };

const isSection = (name: unknown): name is SectionName =>
  typeof name === "string" && Object.hasOwn(sections, name);
const names: readonly string[] = Object.keys(sections);
const lists: readonly string[] = ["roles", "members", "boards", "cards"] satisfies ListName[];
const paths = names.map((name) => (lists.includes(name) ? `$.${name}.*` : `$.${name}`));

/** No document of ours nests deeper by far. */
const deepest = 100;
/** The most bytes that one item may have. */
const largest = 64 * 1024 * 1024;
/** And the most tokens: of a text of that length in our own words there are fewer. */
const mostTokens = 10_000_000;

/** Reads the document of a workspace as it streams by, piece by piece; 400 for what is no such document, or not all of one. */
export async function* piecesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  const tokens = new Tokenizer();
  const values = new TokenParser({ paths, keepStack: false });
  const order = orderOf();
  let place = 0;
  tokens.onToken = (token) => {
    place = token.offset;
    order.see(token.token, token.value);
    values.write(token);
  };
  let found: Piece[] = [];
  values.onValue = ({ value, key, stack }) => {
    const section = stack.length === 1 ? key : stack[1]?.key;
    const index = stack.length === 1 ? 0 : Number(key);
    if (isSection(section)) found.push({ section, index, value });
  };
  let size = 0;
  let since = 0;
  for await (const chunk of bytes) {
    try {
      tokens.write(chunk);
    } catch (error) {
      throw error instanceof Failure ? error : broken(error, place);
    }
    size += chunk.byteLength;
    since = found.length > 0 ? 0 : since + chunk.byteLength;
    if (since > largest) throw badRequest(`An item has more than ${largest} bytes.`, order.path());
    yield* found;
    found = [];
  }
  if (!values.isEnded) {
    throw badRequest(`The document ends in the middle, after ${size} bytes: it was cut off.`);
  }
  order.end();
}

/** Sees to it that the parts stand there, each once and in their order. */
function orderOf() {
  let depth = 0;
  let count = 0;
  let last: unknown;
  let next = 0;
  let opens: string | undefined;
  return {
    see(token: TokenType, value: unknown) {
      if (opens !== undefined) {
        if (lists.includes(opens) && token !== TokenType.LEFT_BRACKET)
          throw badRequest("Must be a list.", [opens]);
        opens = undefined;
      }
      if (depth === 0 && token !== TokenType.LEFT_BRACE)
        throw badRequest("The document must be a JSON object.");
      if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth++;
      if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth--;
      if (depth > deepest) throw badRequest("The document nests too deep.");
      count = depth > 2 ? count + 1 : 0;
      if (count > mostTokens)
        throw badRequest("An item has too many parts.", names.slice(next - 1, next));
      if (token === TokenType.COLON && depth === 1) {
        opens = String(last);
        const expected = names[next++];
        if (opens !== expected) throw misplaced(opens, expected);
      }
      last = value;
    },
    path: () => names.slice(Math.max(0, next - 1), Math.max(1, next)),
    end() {
      const missing = names.slice(next);
      if (missing.length > 0) throw badRequest(`The document has no ${missing.join(", ")}.`);
    },
  };
}

function misplaced(name: string, expected: string | undefined) {
  const shown = name.slice(0, 100);
  if (!names.includes(name)) return badRequest("Unknown field", [shown]);
  const order = names.join(", ");
  return badRequest(
    expected === undefined
      ? `It stands there twice.`
      : `Here ${expected} must stand: the parts are ${order}, each once and in this order.`,
    [shown],
  );
}

function broken(error: unknown, place: number): Failure {
  const said = error instanceof Error ? error.message : "";
  const position = /absolute position "(\d+)"/.exec(said)?.[1] ?? String(place);
  return badRequest(`The document is not JSON: it breaks at byte ${position}.`);
}
