import pg from "pg";

/** A row as PostgreSQL sends it, of a statement made with `asTexts`. */
export type Texts = readonly (string | null)[];

/** The text of a column that is not null. */
export function columnText(row: Texts, column: number): string {
  const text = row[column];
  if (text === null || text === undefined) throw new Error(`Column ${column} is null.`);
  return text;
}

const parseTime: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);
// Such as `2026-11-22 13:42:43.1+00`.
const [dateEnd, secondsEnd, zone] = [10, 19, "+00"];

/** The ISO form of a time as PostgreSQL writes it. */
export function isoOfText(text: string): string {
  const isUsual = text[dateEnd] === " " && text.endsWith(zone);
  if (!isUsual) return parseTime(text).toISOString();
  const fraction = text.slice(secondsEnd + 1, -zone.length).padEnd(3, "0");
  return `${text.slice(0, dateEnd)}T${text.slice(dateEnd + 1, secondsEnd)}.${fraction}Z`;
}
