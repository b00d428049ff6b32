// How cells of our CSV are written, and read back: each function here has its inverse beside it.

/** A spreadsheet runs a cell that starts so as a formula. */
const formula = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

const isSign = (sign: string) => /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(sign);

/**
 * Where formulas start in a program that divides lines elsewhere than we do: at semicolons, tabs,
 * bars or the lines in a cell, with or without quotes. A sign with a space, as in a list of
 * Markdown, begins no formula at the start of a line. Apostrophes before a formula belong to it.
 */
function startsIn(text: string): number[] {
  const found: number[] = [];
  let after: "delimiter" | "line" | undefined;
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    const isSpace = sign === " " || sign === '"';
    if (";|\t\r\n".includes(sign)) {
      after = "\r\n".includes(sign) ? "line" : "delimiter";
      start = -1;
    } else if (after !== undefined && isSpace && start < 0) continue;
    else if (after !== undefined && sign === "'") start = start < 0 ? at : start;
    else {
      const isItem = after === "line" && "-+".includes(sign) && text.charAt(at + 1) === " ";
      if (after !== undefined && isSign(sign) && !isItem) found.push(start < 0 ? at : start);
      after = undefined;
      start = -1;
    }
  }
  return found;
}

/** A text whose pieces between some places are joined again. */
const joinedAt = (text: string, places: number[], joint: (rest: string) => string): string =>
  places.length === 0
    ? text
    : text.slice(0, places[0]) +
      places.map((at, nth) => joint(text.slice(at, places[nth + 1]))).join("");

/** An apostrophe before a formula, of a cell or in it, stops spreadsheets from running it. */
export const escapeFormula = (text: string) => {
  const safe = joinedAt(text, startsIn(text), (rest) => `'${rest}`);
  return formula.test(safe) ? `'${safe}` : safe;
};

/** A cell without the apostrophes that `escapeFormula` has added. */
export const unescapeFormula = (cell: string) => {
  const own = cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
  return joinedAt(own, startsIn(own), (rest) => rest.replace(/^'/, ""));
};

/** One name of a list of names, or its end. */
const nameInList = /\s*(?:"((?:[^"]|"")*)"\s*|([^,;\n]*))(?:[,;\n]|$)/g;

/** The names in a cell, each once: separated by commas, semicolons or lines; quoted or not. */
export function namesIn(cell: string): string[] {
  const names = [...cell.matchAll(nameInList)].map(([, quoted, plain = ""]) =>
    (quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim(),
  );
  return [...new Set(names.filter((name) => name !== ""))];
}
