import { runClass, separatorClass } from "./characters.ts";
import { fold } from "./fold.ts";

/** The first characters of a text that are searched, and its first different words. */
const [maxCharacters, maxUnits] = [100_000, 25_000];
/** The words of a longer text have no places: it takes too long to read them. */
const maxPlaced = 10_000;
/** The first characters of a word that count. */
const maxWord = 200;

const runPattern = new RegExp(`[${runClass}]+|[^${runClass}${separatorClass}]+`, "gu");
const asciiPattern = /[+#$%@=]+|[a-z0-9]+/g;
const isAscii = /^[\0-\x7f]*$/;
const beginsRun = new RegExp(`^[${runClass}]`, "u");

/** A word, or a run of signs or of characters that are written without spaces. */
export type Run = {
  text: string;
  isWord: boolean;
};

/** Cuts a text after a number of characters, which may be two code units each. */
const cut = (text: string, length: number) =>
  text.length <= length ? text : Array.from(text).slice(0, length).join("");

/** The words and runs of a text, in order. */
export function runsOf(text: string): Run[] {
  const folded = cut(fold(text), maxCharacters);
  const runs = folded.match(isAscii.test(folded) ? asciiPattern : runPattern) ?? [];
  return runs.map((run) =>
    beginsRun.test(run) ? { text: run, isWord: false } : { text: cut(run, maxWord), isWord: true },
  );
}

/** What a run is found by: a word by itself, another run by its characters and pairs of them. */
export function unitsOf({ text, isWord }: Run): string[] {
  if (isWord) return [text];
  const characters = Array.from(text);
  return characters.flatMap((character, nth) => {
    const next = characters[nth + 1];
    return next === undefined ? [character] : [character, character + next];
  });
}

/** Whether names have similar words to a word: a number and a part of a run have none. */
export const hasSimilar = ({ text, isWord }: Run): boolean => isWord && /[^0-9]/.test(text);

/** The words of a name that may be mistyped, each once. */
export const wordsOfName = (name: string): Set<string> =>
  new Set(runsOf(name).flatMap((run) => (hasSimilar(run) ? [run.text] : [])));

/** Adds the words of a text with their places and a weight, behind `before` places. */
function addWords(words: Map<string, string[]>, text: string, weight: string, before: number) {
  const runs = runsOf(text);
  const isPlaced = text.length < maxPlaced;
  const max = words.size + maxUnits;
  for (const [nth, run] of runs.entries()) {
    for (const unit of unitsOf(run)) {
      const places = words.get(unit);
      const place = `${before + nth + 1}${weight}`;
      if (places === undefined) {
        if (words.size < max) words.set(unit, isPlaced ? [place] : []);
      } else if (isPlaced && places.at(-1) !== place) places.push(place);
    }
  }
  return runs.length;
}

/** The words of a name, with weight A, and of a text, as the text of a `tsvector`. */
export function vectorOf(name: string | null, text: string | null): string {
  const words = new Map<string, string[]>();
  const before = name === null ? 0 : addWords(words, name, "A", 0);
  if (text !== null) addWords(words, cut(text, maxCharacters), "", before);
  // A quote and a backslash separate words.
  return [...words].map(([word, places]) => `'${word}'${placesOf(places)}`).join(" ");
}

const placesOf = (places: string[]) => (places.length === 0 ? "" : `:${places.join(",")}`);
