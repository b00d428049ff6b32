const escape = String.raw`\\[-.*+?^$(){}|[\]\\/]`;
// `-`, `&` and `[` mean sets of sets in Java, and may do so in Python.
const member = String.raw`(?:(?:[^\\\]\[^&~|-]|${escape})(?:-(?:[^\\\]\[^&~|-]|[~]|${escape}))?)`;
const set = String.raw`\[\^?${member}+-?\]`;
const literal = String.raw`[A-Za-z0-9 _#:/,='"@!<>~%;&-]`;
const repeat = String.raw`[*+?]|\{\d{1,3}(?:,\d{0,3})?\}`;
const token = new RegExp(
  String.raw`^(?:(?:\(\?:|\|)|(?:\)|${set}|${escape}|${literal})(?:${repeat})?)`,
);

/**
 * Whether ECMAScript, Java, Python, .NET and RE2 read a pattern alike.
 *
 * It starts with `^`, and an end is at its end: alternatives are in groups. It has sets of ASCII,
 * plain groups, and greedy repetitions of at most 999 times. It has no `.`, whose lines differ,
 * and no class such as `\d`, which Python and .NET extend beyond ASCII.
 */
export function isCommonPattern(pattern: string): boolean {
  if (!pattern.startsWith("^") || /[^ -~]/.test(pattern)) return false;
  let rest = pattern.slice(1).replace(/\$$/, "");
  let depth = 0;
  while (rest !== "") {
    const [found] = token.exec(rest) ?? [];
    if (found === undefined) return false;
    if (found === "(?:") depth += 1;
    else if (found.startsWith(")")) depth -= 1;
    else if (found === "|" && depth === 0) return false;
    if (depth < 0) return false;
    rest = rest.slice(found.length);
  }
  return depth === 0;
}
