// How cells of our CSV are written, and read back: each function here has its inverse beside it.

/** A spreadsheet runs a cell that starts so as a formula. */
const formula = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** An apostrophe before a cell stops spreadsheets from running it. */
export const escapeFormula = (text: string) => (formula.test(text) ? `'${text}` : text);

/** A cell without the apostrophe that `escapeFormula` has added. */
export const unescapeFormula = (cell: string) =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;

/** PostgreSQL: names that are quoted in a list of names. */
export const quotedNames = `[,;"\\n]`;

/** One name of a list of names, or its end. */
const nameInList = /\s*(?:"((?:[^"]|"")*)"\s*|([^,;\n]*))(?:[,;\n]|$)/g;

/** The names in a cell, each once: separated by commas, semicolons or lines; quoted or not. */
export function namesIn(cell: string): string[] {
  const names = [...cell.matchAll(nameInList)].map(([, quoted, plain = ""]) =>
    (quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim(),
  );
  return [...new Set(names.filter((name) => name !== ""))];
}
