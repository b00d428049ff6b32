import {
  fieldsIn,
  fieldsSetIn,
  type Field,
  type FieldKind,
  type Fields,
  type InputIn,
  type NamesIn,
  type Place,
  type ReadIn,
  type OutputIn,
  type StoredIn,
  type WrittenIn,
} from "../contract/fields/field.ts";
import { iso } from "../contract/vocabulary/texts.ts";
import { dateText, isDayAfter, isWholeDay } from "../contract/vocabulary/whole-days.ts";
import { sql, type Sql } from "../platform/db/sql.ts";

/** How the values of a kind are shown and stored. */
type Kind = {
  /** What answers show of a column; `prefix` is the card prefix of the workspace. */
  show: (value: unknown, prefix: string) => unknown;
  /** What exports have of a column. */
  write: (value: unknown) => unknown;
  /** The column of what an export or another source has. */
  read: (value: unknown, now: Date) => unknown;
  /** The column after an input, which replaces an old value; `of` is that of the field it is of. */
  store: (given: unknown, old: unknown, now: Date, of: unknown) => unknown;
  type: Sql;
};

const asIs = (value: unknown) => value;
const isoOrNull = (value: unknown) => (value instanceof Date ? iso(value) : null);
const isSet = (value: unknown) => value !== null;
const numbered = (number: unknown, prefix: string) => `${prefix}-${String(number)}`;

// A date without a time is its midnight in UTC.
const timeOf = (value: unknown) => (typeof value === "string" ? new Date(value) : null);
// A source may know that it was, but not when.
const readTime = (value: unknown, now: Date) => (value === "now" ? now : timeOf(value));

const plain = { show: asIs, write: asIs, read: asIs, store: asIs };
const time = { write: isoOrNull, read: readTime, type: sql`timestamptz` };

const kinds: Readonly<Record<FieldKind, Kind>> = {
  text: { ...plain, type: sql`text` },
  integer: {
    ...plain,
    type: sql`int`,
  },
  moment: {
    ...time,
    show: isoOrNull,
    store: timeOf,
  },
  allDay: {
    ...plain,
    write: (value) => value === true,
    store: (given, old, _, of) =>
      isDayAfter(given, { isAllDay: old === true, moment: of instanceof Date ? of : null }),
    type: sql`boolean`,
  },
  flag: {
    ...time,
    show: isSet,
    store: (isTrue, since, now) => (isTrue === true ? (since ?? now) : null),
  },
  cardNumber: { ...plain, show: numbered, type: sql`int` },
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
): (row: Row, prefix?: string) => OutputIn<F, NamesIn<F, P>> {
  return showing(fieldsIn(fields, ...places));
}

/** Shows all fields of a row. */
export const showAll = <F extends Fields>(
  fields: F,
): ((row: Row, prefix?: string) => OutputIn<F, keyof F>) => showing(Object.entries(fields));

function showing(fields: readonly [string, Field][]) {
  const shownFields = fields.map(([name, { column, kind }]) => ({ name, column, ...kinds[kind] }));
  return (row: Row, prefix = "") => {
    const record = recordOf([]);
    for (const { name, column, show } of shownFields) record[name] = show(row[column], prefix);
    return record;
  };
}

/** The values of the columns of fields, as exports have them. */
export function writtenIn<F extends Fields, P extends "export" | "csv">(
  fields: F,
  place: P,
): (row: Row) => WrittenIn<F, P> {
  const writtenFields = fieldsIn(fields, place);
  const ofDates = new Map(Object.values<Field>(fields).map(({ of, column }) => [of, column]));
  return (row) =>
    recordOf(
      writtenFields.map(([name, { column, kind }]) => {
        const [value, ofDate] = [row[column], ofDates.get(name)];
        // A file has one column of a date, which says by its form whether it is a whole day.
        const isDay = place === "csv" && ofDate !== undefined && row[ofDate] === true;
        return [
          column,
          isDay && value instanceof Date ? dateText(value, true) : kinds[kind].write(value),
        ];
      }),
    );
}

/** The columns of the given fields of an input, which replace those of a row. */
export function storedIn<F extends Fields, P extends "create" | "update" | "bulk">(
  fields: F,
  place: P,
): (input: InputIn<F, P>, row: Row, now: Date) => StoredIn<F, P> {
  const storedFields = fieldsSetIn(fields, place);
  return (input: Row, row, now) =>
    recordOf(
      storedFields.flatMap(([name, { column, kind, of = name }]) =>
        input[of] === undefined
          ? []
          : [[column, kinds[kind].store(input[of], row[column] ?? null, now, row[of])]],
      ),
    );
}

/**
 * The columns of the fields of a new resource that some places set: those that are not given have
 * the value of a new resource.
 */
export function newIn<F extends Fields, P extends Place>(
  fields: F,
  ...places: P[]
): (given: Partial<StoredIn<F, P>>) => Required<StoredIn<F, P>> {
  const newFields = fieldsSetIn(fields, ...places).map(([, field]) => field);
  return (given: Row) =>
    recordOf(
      newFields.map(({ column, kind, choice }) => [
        column,
        given[column] ?? choice?.otherwise ?? (kind === "allDay" ? false : null),
      ]),
    );
}

/** The columns of fields as an export, or another source, has them. A source may lack some. */
export function readIn<F extends Fields>(
  fields: F,
): (source: Partial<ReadIn<F, "export">>, now: Date) => Required<StoredIn<F, "export">> {
  const exportedFields = fieldsIn(fields, "export").map(([, field]) => field);
  return (source: Row, now) =>
    recordOf(
      exportedFields.map(({ column, kind, choice, of }) => [
        column,
        of === undefined
          ? (kinds[kind].read(source[column], now) ?? choice?.otherwise ?? null)
          : // An export says it, other sources write a date without a time.
            source[column] === true || isWholeDay(source[of]),
      ]),
    );
}
