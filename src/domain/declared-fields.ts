import {
  fieldsIn,
  type Field,
  type FieldKind,
  type Fields,
  type GivenIn,
  type NamesIn,
  type Place,
  type ReadIn,
  type Shown,
  type StoredIn,
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
  /** The column of what an export or another source has. */
  read: (value: unknown, now: Date) => unknown;
  /** The column after an input, which replaces an old value. */
  store: (given: unknown, old: unknown, now: Date) => unknown;
  type: Sql;
};

const asIs = (value: unknown) => value;
const isoOrNull = (value: unknown) => (value instanceof Date ? iso(value) : null);
const isSet = (value: unknown) => value !== null;
const numbered = (number: unknown, prefix: string) => `${prefix}-${String(number)}`;

const timeOf = (value: unknown) => (typeof value === "string" ? new Date(value) : null);
// A source may know that it was, but not when.
const readTime = (value: unknown, now: Date) => (value === "now" ? now : timeOf(value));

const plain = { show: asIs, showText: asIs, write: asIs, read: asIs, store: asIs };
const time = { write: isoOrNull, read: readTime, type: sql`timestamptz` };

const kinds: Readonly<Record<FieldKind, Kind>> = {
  text: { ...plain, type: sql`text` },
  integer: {
    ...plain,
    showText: (text) => (text === null ? null : Number(text)),
    type: sql`int`,
  },
  moment: {
    ...time,
    show: isoOrNull,
    showText: (text) => (text === null ? null : isoOfText(text)),
    store: timeOf,
  },
  flag: {
    ...time,
    show: isSet,
    showText: isSet,
    store: (isTrue, since, now) => (isTrue === true ? (since ?? now) : null),
  },
  cardNumber: { ...plain, show: numbered, showText: numbered, type: sql`int` },
  choice: { ...plain, type: sql`text` },
};

/** SQL: the type of the column of a field. */
export const typeOf = ({ kind, choice }: Field): Sql =>
  choice === undefined ? kinds[kind].type : sql.identifier(choice.type);

/** A row by its columns. */
type Row = Readonly<Record<string, unknown>>;

/** A record without a static type: the declaration decides what it holds. */
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
): (row: Row, prefix?: string) => Shown<F, NamesIn<F, P>> {
  return showing(fieldsIn(fields, ...places));
}

/** Shows all fields of a row. */
export const showAll = <F extends Fields>(
  fields: F,
): ((row: Row, prefix?: string) => Shown<F, keyof F>) => showing(Object.entries(fields));

function showing(fields: readonly [string, Field][]) {
  const shownFields = fields.map(([name, { column, kind }]) => ({ name, column, ...kinds[kind] }));
  return (row: Row, prefix = "") => {
    const record = recordOf([]);
    for (const { name, column, show } of shownFields) record[name] = show(row[column], prefix);
    return record;
  };
}

/** Shows the fields in a place of a row of texts, whose columns begin at an index. */
export function showTextsIn<F extends Fields, P extends Place>(
  fields: F,
  place: P,
  start: number,
): (row: Texts, prefix: string) => Shown<F, NamesIn<F, P>> {
  const shownFields = fieldsIn(fields, place).map(([name, { kind }]) => ({ name, ...kinds[kind] }));
  return (row, prefix) => {
    const record = recordOf([]);
    let column = start;
    for (const { name, showText } of shownFields)
      record[name] = showText(row[column++] ?? null, prefix);
    return record;
  };
}

/** The values of the columns of fields, as exports have them. */
export function writtenIn<F extends Fields, P extends "export" | "csv">(
  fields: F,
  place: P,
): (row: Row) => WrittenIn<F, P> {
  const writtenFields = fieldsIn(fields, place).map(([, field]) => field);
  return (row) =>
    recordOf(writtenFields.map(({ column, kind }) => [column, kinds[kind].write(row[column])]));
}

/** The columns of the given fields of an input, which replace those of a row. */
export function storedIn<F extends Fields, P extends "create" | "update" | "bulk">(
  fields: F,
  place: P,
): (input: GivenIn<F, P>, row: Row, now: Date) => StoredIn<F, P> {
  const storedFields = fieldsIn(fields, place);
  return (input: Row, row, now) =>
    recordOf(
      storedFields.flatMap(([name, { column, kind }]) =>
        input[name] === undefined
          ? []
          : [[column, kinds[kind].store(input[name], row[column] ?? null, now)]],
      ),
    );
}

/** The columns of fields as an export, or another source, has them. */
export function readIn<F extends Fields>(
  fields: F,
): (source: ReadIn<F, "export">, now: Date) => Required<StoredIn<F, "export">> {
  const exportedFields = fieldsIn(fields, "export").map(([, field]) => field);
  return (source: Row, now) =>
    recordOf(
      exportedFields.map(({ column, kind, choice }) => [
        column,
        kinds[kind].read(source[column], now) ?? choice?.otherwise ?? null,
      ]),
    );
}
