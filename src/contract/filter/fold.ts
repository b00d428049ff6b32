/** Letters whose small forms are found by `contains`, beside those of the Latin alphabet. */
export const capitals = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ";
/** Their small forms, in the same order. */
export const smallLetters = "αβγδεζηθικλμνξοπρστυφχψωабвгдежзийклмнопрстуфхцчшщъыьэюя";

/**
 * A text without the case of Latin, Greek and Cyrillic letters.
 *
 * PostgreSQL makes the same of it, whatever the locale of the database is.
 */
export const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replaceAll(/[Α-ΡΣ-ΩА-Я]/g, (letter) => smallLetters[capitals.indexOf(letter)] ?? letter);
