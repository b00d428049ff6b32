import { fold } from "../search/fold.ts";
import { hasSimilar, runsOf, unitsOf, type Run } from "../search/words.ts";

/** The most words of a query, the most of their parts, and the most words that may be mistyped. */
const [maxWords, maxUnits, maxMistyped] = [12, 24, 4];

/** The placeholder of a board in the text of a `tsquery`: a character that words do not have. */
export const scope = "\u0001";

/** A word of a query, and what it asks for. */
type Word = { text: string; isWord: boolean; units: string[] };

/** What a query asks for. */
export type Asked = {
  words: Word[];
  /** The words that names may have similar ones to. */
  mistyped: string[];
  /** The whole query, as names are compared. */
  whole: string;
};

/** Words are short, and have no quotes. */
const key = (word: string, flags = "") => (flags === "" ? `'${word}'` : `'${word}':${flags}`);

/** The parts of a run that are asked for: of a longer one, its pairs of characters. */
const askedUnits = (run: Run) =>
  unitsOf(run).filter((unit) => run.isWord || Array.from(unit).length > 1 || unit === run.text);

/** Reads a query: its first words, each once. */
export function asked(phrase: string): Asked {
  const runs = [...new Map(runsOf(phrase).map((run) => [run.text, run])).values()];
  let units = maxUnits;
  const words = runs.slice(0, maxWords).flatMap((run) => {
    const some = askedUnits(run).slice(0, units);
    units -= some.length;
    return some.length === 0 ? [] : [{ ...run, units: some }];
  });
  const mistyped = words.filter((word) => hasSimilar(word) && Array.from(word.text).length > 2);
  return {
    words,
    mistyped: mistyped.slice(0, maxMistyped).map(({ text }) => text),
    whole: fold(phrase),
  };
}

/** How words stand in the text of a `tsquery`: behind the placeholder, or with a weight. */
export type Form = { before: string; weight: string };

/** The text of a `tsquery` for all words, the last one as a prefix; null without a word. */
export function allOf({ words }: Pick<Asked, "words">, form: Form, isExact = false): string | null {
  const terms = words.flatMap((word, nth) => {
    const isPrefix = !isExact && word.isWord && nth === words.length - 1;
    return word.units.map((unit) => termOf(unit, isPrefix, form));
  });
  return terms.length === 0 ? null : terms.join(" & ");
}

/** A number is also found behind a `v`: people write 1.2.3 as v1.2.3. */
function termOf(unit: string, isPrefix: boolean, { before, weight }: Form): string {
  const term = (word: string) => key(before + word, (isPrefix ? "*" : "") + weight);
  return /^[0-9]+$/.test(unit) ? `(${term(unit)} | ${term(`v${unit}`)})` : term(unit);
}

/** A word of names that is like a word of the query. */
export type Similar = { asked: string; word: string; similarity: number };

/** The text of a `tsquery` for all words or words that are similar to them. */
export function likeOf({ words }: Asked, similar: readonly Similar[], form: Form): string | null {
  const terms = words.map(({ text, isWord, units }, nth) => {
    const isPrefix = isWord && nth === words.length - 1;
    const own = units.map((unit) => termOf(unit, isPrefix, form)).join(" & ");
    const others = similar.filter((each) => each.asked === text);
    return `(${[`(${own})`, ...others.map(({ word }) => termOf(word, false, form))].join(" | ")})`;
  });
  return terms.length === 0 ? null : terms.join(" & ");
}

/** The words of the query and the similar ones, each as a `tsquery` for names. */
export function ranksOf({ words }: Asked, similar: readonly Similar[]) {
  const ofName = { before: "", weight: "A" };
  return words.flatMap(({ text, isWord, units }, nth) => [
    { nth, key: allOf({ words: [{ text, isWord, units }] }, ofName) ?? "", similarity: 1 },
    ...similar
      .filter((each) => each.asked === text)
      .map(({ word, similarity }) => ({ nth, key: termOf(word, false, ofName), similarity })),
  ]);
}
