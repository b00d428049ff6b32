import { readdir, readFile } from "node:fs/promises";
import { createContext, runInContext } from "node:vm";
import ts from "typescript";
import { expect, test } from "vitest";

// Texts come from users: no regular expression may take more than linear time on any of them.
const root = new URL("../../src/", import.meta.url);
const length = 100_000;
/** A linear search takes a millisecond or two for such a text, a quadratic one many seconds. */
const maxMs = 500;

type Found = { where: string; source: string; flags: string };

/** The regular expressions of a file, as literals or made with `new RegExp` of one text. */
function expressionsIn(where: string, text: string): Found[] {
  const found: Found[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      found.push({ where, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(where, text, ts.ScriptTarget.Latest, true));
  return found;
}

/** What takes longer for a text a fifth as long is tried with the whole length. */
const shortMs = 2;

/** Texts that repeat what an expression names, and end with what it does not expect. */
function* attacks(source: string): Generator<(size: number) => string> {
  const named = source.replace(/\\[dwsDWSbBpPu]|\{[^}]*\}|[()|?*+^$]/g, "").replaceAll("\\", "");
  const characters = [...new Set([...Array.from(named), "\\", "a", "0", " ", "\n", "-", "."])];
  const parts = characters.slice(0, 16);
  const start = named.slice(0, 40);
  for (const piece of parts) {
    for (const next of ["", ...parts.slice(0, 6)]) {
      const unit = piece + next;
      const textOf = (size: number) => `${unit.repeat(size / unit.length)}\u0001`;
      yield textOf;
      yield (size) => start + textOf(size);
    }
  }
}

/** Whether an expression takes too long for a text, with each method that searches all of it. */
function isSlow({ source, flags }: Pick<Found, "source" | "flags">): boolean {
  const expression = new RegExp(source, flags.includes("g") ? flags : `${flags}g`);
  const context = createContext({ expression, text: "" });
  const takesMore = (timeout: number, text: string) => {
    context["text"] = text;
    try {
      runInContext(`text.replace(expression, "")`, context, { timeout });
      return false;
    } catch {
      return true;
    }
  };
  for (const textOf of attacks(source))
    if (takesMore(shortMs, textOf(length / 5)) && takesMore(maxMs, textOf(length))) return true;
  return false;
}

test("recognizes expressions that take more than linear time", () => {
  const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
  for (const source of [String.raw`@\[[^\]]*\]\(`, String.raw`\s+$`, quoted])
    expect(isSlow({ source, flags: "" })).toBe(true);
});

test("every regular expression takes linear time", async () => {
  const files = (await readdir(root, { recursive: true })).filter(
    (file) => file.endsWith(".ts") && !file.includes("generated"),
  );
  const found = await Promise.all(
    files.map(async (file) => expressionsIn(file, await readFile(new URL(file, root), "utf8"))),
  );
  const all = new Map(found.flat().map((one) => [`${one.source} ${one.flags}`, one]));
  expect(all.size).toBeGreaterThan(50);
  expect([...all.values()].filter(isSlow)).toEqual([]);
});
