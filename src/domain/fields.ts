import {
  fieldsIn,
  type Field,
  type FieldKind,
  type Fields,
  type NamesIn,
  type Place,
  type Shown,
  type WrittenIn,
} from "../contract/fields/field.ts";
import { iso } from "../contract/vocabulary/fields.ts";
import { sql, type Sql } from "../platform/db/sql.ts";
import { isoOfText, type Texts } from "../platform/db/texts.ts";

/** How the values of a kind are shown and stored. */
type Kind = {
  /** What answers show of a column; `prefix` is the card prefix of the workspace. */
  show: (value: unknown, prefix: string) => unknown;
  /** What answers show of a text that PostgreSQL sends. */
  showText: (text: string | null, prefix: string) => unknown;
  /** What exports have of a column. */
  write: (value: unknown) => unknown;
};

const asIs = (value: unknown) => value;
const isoOrNull = (value: unknown) => (value instanceof Date ? iso(value) : null);
const isSet = (value: unknown) => value !== null;
const numbered = (number: unknown, prefix: string) => `${prefix}-${String(number)}`;

const kinds: Readonly<Record<FieldKind, Kind>> = {
  text: { show: asIs, showText: asIs, write: asIs },
  integer: { show: asIs, showText: Number, write: asIs },
  moment: {
    show: isoOrNull,
    showText: (text) => (text === null ? null : isoOfText(text)),
    write: isoOrNull,
  },
  flag: { show: isSet, showText: isSet, write: isoOrNull },
  cardNumber: { show: numbered, showText: numbered, write: asIs },
};

/** A row by its columns. */
type Row = Readonly<Record<string, unknown>>;

/** A record of any type: what its caller makes follows from the declaration. */
const recordOf = (entries: unknown[][]) => Object.fromEntries(entries);

/** SQL: the columns of fields in a table with an alias. */
export const columnsOf = (fields: readonly [string, Field][], alias: string): Sql =>
  sql.join(
    fields.map(([, { column }]) => sql`${sql.identifier(alias)}.${sql.identifier(column)}`),
    sql`, `,
  );

/** Shows the fields in some places of a row; `prefix` is the card prefix of its workspace. */
export function showIn<F extends Fields, P extends Place>(
  fields: F,
  ...places: P[]
): (row: Row, prefix: string) => Shown<F, NamesIn<F, P>> {
  return showing(fieldsIn(fields, ...places));
}

/** Shows all fields of a row. */
export const showAll = <F extends Fields>(
  fields: F,
): ((row: Row, prefix: string) => Shown<F, keyof F>) => showing(Object.entries(fields));

function showing(fields: readonly [string, Field][]) {
  const shown = fields.map(([name, { column, kind }]) => ({ name, column, ...kinds[kind] }));
  return (row: Row, prefix: string) => {
    const made = recordOf([]);
    for (const { name, column, show } of shown) made[name] = show(row[column], prefix);
    return made;
  };
}

/** Shows the fields in a place of a row of texts, whose columns begin at an index. */
export function showTextsIn<F extends Fields, P extends Place>(
  fields: F,
  place: P,
  start: number,
): (row: Texts, prefix: string) => Shown<F, NamesIn<F, P>> {
  const shown = fieldsIn(fields, place).map(([name, { kind }]) => ({ name, ...kinds[kind] }));
  return (row, prefix) => {
    const made = recordOf([]);
    let column = start;
    for (const { name, showText } of shown) made[name] = showText(row[column++] ?? null, prefix);
    return made;
  };
}

/** The values of the columns of fields, as exports have them. */
export function writtenIn<F extends Fields, P extends "export" | "csv">(
  fields: F,
  place: P,
): (row: Row) => WrittenIn<F, P> {
  const written = fieldsIn(fields, place).map(([, field]) => field);
  return (row) =>
    recordOf(written.map(({ column, kind }) => [column, kinds[kind].write(row[column])]));
}
