import { codeIn } from "./markdown-code.ts";

/** A mention in Markdown, `@[name](memberPublicId)`, and its range in the text. */
type Mention = { start: number; end: number; name: string; memberPublicId: string };

// No match of these tokens can contain another one, so that a scan takes linear time.
const token = /@\[|\n|\]\(([0-9a-z]{12,64})\)/g;

/** Finds the mentions in a text, in linear time. */
export function* mentionsOf(text: string): Generator<Mention> {
  let start: number | undefined;
  for (const { 0: match, 1: memberPublicId, index } of text.matchAll(token)) {
    if (memberPublicId === undefined) {
      start = match === "@[" ? index : undefined;
    } else if (start !== undefined) {
      const name = text.slice(start + 2, index);
      yield { start, end: index + match.length, name, memberPublicId };
      start = undefined;
    }
  }
}

/** The mentions in a text that are not code, in linear time: only these notify. */
export function* mentionsOutsideCode(text: string): Generator<Mention> {
  let code: ReturnType<typeof codeIn> | undefined;
  let nth = 0;
  for (const mention of mentionsOf(text)) {
    code ??= codeIn(text);
    while ((code[nth]?.end ?? Number.POSITIVE_INFINITY) <= mention.start) nth++;
    if ((code[nth]?.start ?? text.length) >= mention.end) yield mention;
  }
}

/** A text with `@name` instead of mentions, which contain the ids of members. */
export function withoutMemberIds(text: string): string {
  let [result, last] = ["", 0];
  for (const { start, end, name } of mentionsOf(text)) {
    result += `${text.slice(last, start)}@${name}`;
    last = end;
  }
  return result + text.slice(last);
}

/** The same for every string of a JSON value. */
export function hideMemberIds<Value>(value: Value): Value;
export function hideMemberIds(value: unknown): unknown {
  if (typeof value === "string") return withoutMemberIds(value);
  if (Array.isArray(value)) return value.map((item: unknown) => hideMemberIds(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [key, hideMemberIds(item)]),
  );
}
