/** Characters that are compared as others, beside the capitals of the Latin alphabet. */
export const others = {
  from: "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ‘’‛′ʼ",
  /** In the same order. */
  to: "αβγδεζηθικλμνξοπρστυφχψωабвгдежзийклмнопрстуфхцчшщъыьэюя'''''",
} as const;

/** A regular expression, here and in PostgreSQL: soft hyphens, and characters without width. */
export const unseen = String.raw`[\u00ad\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff]+`;

const anyUnseen = new RegExp(unseen, "g");
const anyOther = new RegExp(`[${others.from}]`, "g");

/**
 * A text without the case of Latin, Greek and Cyrillic letters, with one kind of apostrophe, and
 * without what is not seen.
 *
 * PostgreSQL makes the same of it, whatever the locale of the database is.
 */
export const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replaceAll(anyUnseen, "")
    .replaceAll(anyOther, (character) => others.to[others.from.indexOf(character)] ?? character);
