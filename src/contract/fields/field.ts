import { z } from "zod";

/**
 * How values are stored and shown.
 *
 * A `flag` is stored as the moment since when it is true, or null. A `cardNumber` is shown with
 * the prefix of its workspace. A `choice` is one of the values of a type of the database. `allDay`
 * says of a date whether it is a whole day, which is stored as its midnight in UTC.
 */
export type FieldKind = "text" | "integer" | "moment" | "allDay" | "flag" | "cardNumber" | "choice";

/**
 * What has a field: `ref` is the answer of an update, `entry` a resource in a list of any kind,
 * `summary` one in a list of cards, `public` one on a board that anyone may read.
 *
 * Exports and CSV have it under the name of its column.
 */
export type Place =
  | "ref"
  | "entry"
  | "summary"
  | "public"
  | "create"
  | "update"
  | "bulk"
  | "copy"
  | "export"
  | "csv";

/** A field of a resource. */
export type Field = {
  column: string;
  kind: FieldKind;
  /** The schema in answers. */
  output: z.ZodType;
  /** The schema in inputs. */
  input?: z.ZodType;
  /** The schema in exports. */
  stored?: z.ZodType;
  /** The date that it is about: an input that sets the date sets it too. */
  of?: string;
  /** The type of a choice in the database, and the value of a new resource. */
  choice?: { type: string; otherwise: string };
  /** The description of its filter in listings, which matches any of the given values. */
  filter?: string;
  /** Whether a new resource needs it. */
  isRequired?: true;
  /** The order of listings that are sorted by it; in `asc`, those without a value come last. */
  sort?: { order: "asc" | "desc"; about: string };
  /** The word for it where tools for agents show a resource on one line. */
  word?: string;
  /** The events that report its change alone: when it becomes true, and when it becomes false. */
  events?: { true?: string; false?: string };
  in: readonly Place[];
};

/** The fields of a resource, by their names. */
export type Fields = Readonly<Record<string, Field>>;

/** The names of the fields in some places. */
export type NamesIn<F extends Fields, P extends Place> = {
  [Name in keyof F]: Extract<F[Name]["in"][number], P> extends never ? never : Name;
}[keyof F];

/** The columns of the fields in some places. */
export type ColumnsIn<F extends Fields, P extends Place> = F[NamesIn<F, P>]["column"];

type FilterName<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { filter: string } ? Name : never;
}[keyof F];

/** The fields that listings are filtered by, with their names. */
export const filterFields = (fields: Fields): [string, Field][] =>
  Object.entries(fields).filter(([, { filter }]) => filter !== undefined);

/** The names of the fields that listings are sorted by. */
export type SortName<F extends Fields> = {
  [Name in keyof F & string]: F[Name] extends { sort: object } ? Name : never;
}[keyof F & string];

/** The fields that listings are sorted by, with their names. */
export const sortFields = <F extends Fields>(fields: F): [SortName<F>, Field][] => {
  const has = (name: string): name is SortName<F> => fields[name]?.sort !== undefined;
  return Object.entries<Field>(fields).flatMap(([name, field]) =>
    has(name) ? [[name, field] as const] : [],
  );
};

/** The fields in some places, with their names. */
export const fieldsIn = (fields: Fields, ...places: Place[]): [string, Field][] =>
  Object.entries(fields).filter(([, field]) => places.some((place) => field.in.includes(place)));

/**
 * The fields that some places set, with their names: those in them, and those that say of their
 * dates whether they are whole days.
 */
export const fieldsSetIn = (fields: Fields, ...places: Place[]): [string, Field][] =>
  Object.entries(fields).filter(([, field]) => {
    const { in: own } = field.of === undefined ? field : (fields[field.of] ?? field);
    return places.some((place) => own.includes(place));
  });

/** The names of the columns of the fields in a place. */
export const columnsIn = (fields: Fields, place: Place): string[] =>
  fieldsIn(fields, place).map(([, { column }]) => column);

type Part = "output" | "input" | "stored";
type Schema<F, P extends Part> = F extends { [Name in P]: infer S extends z.ZodType } ? S : never;
/** The schemas of some fields in answers. */
type OutputShape<F extends Fields, Names extends keyof F> = {
  [Name in Names]: Schema<F[Name], "output">;
};

/** A record without a static type: the declaration decides what it holds. */
const recordOf = (entries: unknown[][]) => Object.fromEntries(entries);

const shapeOf = (fields: [string, Field][], schemaOf: (field: Field) => z.ZodType | undefined) =>
  recordOf(fields.map(([name, field]) => [name, schemaOf(field)]));

/** The shape of all fields as answers show them. */
export const outputShape = <F extends Fields>(fields: F): OutputShape<F, keyof F> =>
  shapeOf(Object.entries(fields), ({ output }) => output);

/** The shape of the fields in some places as answers show them. */
export const outputIn = <F extends Fields, P extends Place>(
  fields: F,
  ...places: P[]
): OutputShape<F, NamesIn<F, P>> => shapeOf(fieldsIn(fields, ...places), ({ output }) => output);

/** The values of some fields in answers. */
export type OutputIn<F extends Fields, Names extends keyof F> = {
  [Name in Names]: z.infer<F[Name]["output"]>;
};

/** The values of fields in an input. */
export type InputIn<F extends Fields, P extends Place> = {
  [Name in NamesIn<F, P>]?: z.infer<Schema<F[Name], "input">> | undefined;
};

/** The input of fields: one that is required, or any. */
type InputOf<F> = F extends { isRequired: true }
  ? Schema<F, "input">
  : z.ZodOptional<Schema<F, "input">>;

/** The shape of the input that creates a resource. */
export const createShape = <F extends Fields>(
  fields: F,
): { [Name in NamesIn<F, "create">]: InputOf<F[Name]> } =>
  shapeOf(fieldsIn(fields, "create"), ({ input, isRequired }) =>
    isRequired ? input : input?.optional(),
  );

/** The shape of the input that changes some fields. */
export const updateShape = <F extends Fields, P extends "update" | "bulk">(
  fields: F,
  place: P,
): { [Name in NamesIn<F, P>]: z.ZodOptional<Schema<F[Name], "input">> } =>
  shapeOf(fieldsIn(fields, place), ({ input }) => input?.optional());

/** The filters of listings: each matches any of the given values of a field. */
export const filterShape = <F extends Fields>(
  fields: F,
): { [Name in FilterName<F>]: z.ZodOptional<z.ZodArray<Schema<F[Name], "input">>> } =>
  shapeOf(
    filterFields(fields),
    ({ input, filter }) => input && z.array(input).min(1).meta({ description: filter }).optional(),
  );

/** The values that listings are filtered by. */
export type FilterIn<F extends Fields> = {
  [Name in FilterName<F>]?: z.infer<Schema<F[Name], "input">>[] | undefined;
};

type StoredShape<F extends Fields, P extends Place> = {
  [Name in NamesIn<F, P> as F[Name]["column"]]: Schema<F[Name], "stored">;
};

/** The shape of the fields that exports have, by the names of their columns. */
export const storedShape = <F extends Fields>(fields: F): StoredShape<F, "export"> =>
  shapeOf(
    fieldsIn(fields, "export").map(([, field]) => [field.column, field]),
    ({ stored }) => stored,
  );

/** The values of fields in exports, by the names of their columns. */
export type WrittenIn<F extends Fields, P extends Place> = {
  [Column in keyof StoredShape<F, P>]: z.output<StoredShape<F, P>[Column]>;
};

/** The values of fields in the source of an import, by the names of their columns. */
export type ReadIn<F extends Fields, P extends Place> = z.input<z.ZodObject<StoredShape<F, P>>>;

/** The stored values of some fields, by the names of their columns. */
export type StoredIn<F extends Fields, P extends Place> = {
  [Name in NamesIn<F, P> as F[Name]["column"]]?: F[Name]["kind"] extends "moment" | "flag"
    ? Date | null
    : z.output<Schema<F[Name], "input">>;
} & {
  [Name in OfDates<F, P> as F[Name]["column"]]?: boolean;
};

/** The fields that say of dates in a place whether they are whole days. */
type OfDates<F extends Fields, P extends Place> = {
  [Name in keyof F]: F[Name] extends { of: NamesIn<F, P> } ? Name : never;
}[keyof F];

type OwnEvents<F extends Fields> = {
  [Name in keyof F as F[Name] extends { events: object } ? Name : never]: F[Name] extends {
    events: infer E;
  }
    ? E
    : never;
};

/** The events that report the change of one field alone. */
export const ownEvents = <F extends Fields>(fields: F): OwnEvents<F> =>
  recordOf(
    Object.entries<Field>(fields).flatMap(([name, { events }]) => (events ? [[name, events]] : [])),
  );
