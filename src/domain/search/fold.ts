import { letters } from "./letters.ts";

const isAscii = /^[\0-\x7f]*$/;
/** Accents, vowel points, and characters that are not seen. */
const unseen = new RegExp(
  String.raw`[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0640` +
    String.raw`\u064b-\u065f\u0670\u200b-\u200f\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufeff` +
    String.raw`\u{e0020}-\u{e007f}\u{e0100}-\u{e01ef}]+`,
  "gu",
);
/**
 * Runs of characters whose normal forms are the same in all supported versions of Node.js: without
 * the blocks that came with Unicode 16 and later.
 */
const settled =
  /[^\ua7f1\u{105c0}-\u{105ff}\u{11380}-\u{113ff}\u{16100}-\u{1613f}\u{16d40}-\u{16d7f}\u{1cc00}-\u{1ccff}]+/gu;
const normalize = (text: string, form: "NFKD" | "NFC") =>
  text.replace(settled, (run) => run.normalize(form));
const notAscii = /[^\0-\x7f]/gu;
const capital = /[A-Z]+/g;
const several: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", œ: "oe", þ: "th" };
const isComposed = /[\u0900-\u{10ffff}]/u;

/**
 * A text without case, accents and compatibility forms.
 *
 * The stored words of all texts depend on it: after a change, all have to be made again.
 */
export function fold(value: string): string {
  if (isAscii.test(value)) return value.toLowerCase();
  const folded = normalize(value, "NFKD")
    .replace(unseen, "")
    .replace(capital, (run) => run.toLowerCase())
    .replace(notAscii, (letter) => {
      const small = letters.get(letter) ?? letter;
      return several[small] ?? small;
    });
  return isComposed.test(folded) ? normalize(folded, "NFC") : folded;
}

const replacements = "abcdefghijklmnopqrstuvwxyz0123456789";

/** A word in ASCII letters, whose trigrams are compared. Letters of one alphabet stay different. */
export const asciiLetters = (word: string): string =>
  word.replace(notAscii, (letter) => replacements[(letter.codePointAt(0) ?? 0) % 36] ?? letter);
