import { z } from "zod";
import { alsoNamed } from "../vocabulary/other-names.ts";
import type { Permission } from "../vocabulary/permissions.ts";

type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * What shows a part of a card: `summary` a card in a list of cards, `detail` a card alone,
 * `public` one on a board that anyone may read, `stored` one in an export, `lines` a snapshot, by
 * the kinds of its lines. Of a board, `detail` is the board with its cards.
 */
export type PartPlace = "summary" | "detail" | "public" | "stored" | "lines";

/**
 * A table of a part. Its rows belong to cards, or by `parent` to the rows of another table.
 *
 * `counted` is its name in the statistics, and `kind` that of a row in the reports of imports; rows
 * of such a table have an id and a `deletedAt`. `limit` is their number per parent.
 *
 * Rows of a table of boards have a name. `copied` are the columns that copies of boards have, but
 * of no row that is archived, where rows can be (`canArchive`).
 */
export type PartTable = {
  parent?: { table: string; column: string };
  copied?: readonly string[];
  canArchive?: true;
  counted?: string;
  kind?: string;
  limit?: { max: number; per: string; counts: string };
};

/**
 * The input that selects a part of a card's copy, its name in similar services, its default, and
 * the permission that it requires. Copies of boards always have what is `onBoards`.
 */
type Selectable = {
  /** What is copied, in words. */
  what: string;
  by: string;
  also: string;
  isDefault: boolean;
  needs?: Permission;
  onBoards?: true;
};
/** A part without a switch is in copies of boards only. */
type Copied = Selectable | { onBoards: true };

/**
 * What hangs on a resource: what shows it, and its tables, parents first.
 *
 * `counted` is what exports count of it.
 */
export type AnyPart = { readonly [Place in PartPlace]?: Shape } & {
  readonly tables: Readonly<Record<string, PartTable>>;
  readonly counted?: readonly string[];
};

/** What hangs on a card. `selected` says what a snapshot that selects it includes. */
export type Part = AnyPart & { readonly copied: Copied; readonly selected?: string };

/** The parts of a resource, by their names. */
type AnyParts = Readonly<Record<string, AnyPart>>;
/** The parts of a card, by their names. */
export type Parts = Readonly<Record<string, Part>>;

type Both<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

type ShapesIn<P extends AnyParts, Place extends PartPlace> = {
  [Name in keyof P]: P[Name] extends { readonly [Key in Place]: infer S } ? S : never;
}[keyof P];

/** The fields of all parts in a place. */
export type ShapeIn<P extends AnyParts, Place extends PartPlace> = {
  [Name in keyof Both<ShapesIn<P, Place>>]: Both<ShapesIn<P, Place>>[Name];
};

/** A record without a static type: the declaration decides what it holds. */
const recordOf = (entries: unknown[][]) => Object.fromEntries(entries);

/** The fields of all parts in a place. */
export const partsIn = <P extends AnyParts, Place extends PartPlace>(
  parts: P,
  place: Place,
): ShapeIn<P, Place> =>
  recordOf(Object.values<AnyPart>(parts).flatMap((part) => Object.entries(part[place] ?? {})));

/** What answers show of all parts in a place. */
export type ShownParts<P extends AnyParts, Place extends PartPlace> = {
  [Name in keyof ShapeIn<P, Place>]: ShapeIn<P, Place>[Name] extends z.ZodType
    ? z.output<ShapeIn<P, Place>[Name]>
    : never;
};

/** The tables of all parts, parents first. */
export const tablesOf = (parts: AnyParts): [string, PartTable][] =>
  Object.values(parts).flatMap(({ tables }) => Object.entries(tables));

type TableOf<P extends AnyParts> = {
  [Name in keyof P]: P[Name]["tables"][keyof P[Name]["tables"]];
}[keyof P];

/** The tables that statistics count, and the column that is set when a row is no longer live. */
export const countedTables = <P extends AnyParts>(
  parts: P,
): Record<Extract<TableOf<P>, { counted: string }>["counted"], readonly [string, string]> =>
  recordOf(
    tablesOf(parts).flatMap(([table, { counted }]) =>
      counted === undefined ? [] : [[counted, [table, "deletedAt"]]],
    ),
  );

/** The tables whose rows imports find again, by their kinds. */
export const importedTables = <P extends AnyParts>(
  parts: P,
): Record<Extract<TableOf<P>, { kind: string }>["kind"], string> =>
  recordOf(
    tablesOf(parts).flatMap(([table, { kind }]) => (kind === undefined ? [] : [[kind, table]])),
  );

type LimitName<P extends AnyParts> = {
  [Name in keyof P]: {
    [Table in keyof P[Name]["tables"]]: P[Name]["tables"][Table] extends { limit: object }
      ? Table
      : never;
  }[keyof P[Name]["tables"]];
}[keyof P];

type ParentOf<P extends AnyParts> = Extract<TableOf<P>, { parent: object }>["parent"];

/** The tables with a limit, and a value of each; `parent` is undefined for cards. */
export const limitedTables = <P extends AnyParts, Value>(
  parts: P,
  valueOf: (limit: NonNullable<PartTable["limit"]>, parent: ParentOf<P> | undefined) => Value,
): Record<LimitName<P>, Value> =>
  recordOf(
    tablesOf(parts).flatMap(([name, table]) =>
      // The type of a parent is that of the declaration.
      table.limit ? [[name, valueOf(table.limit, recordOf(Object.entries(table))["parent"])]] : [],
    ),
  );

type CountName<P extends AnyParts> = {
  [Name in keyof P]: P[Name] extends { readonly counted: readonly (infer C extends string)[] }
    ? C
    : never;
}[keyof P];

/** A value for each of what exports count of all parts. */
export const countsOf = <P extends AnyParts, Value>(
  parts: P,
  value: Value,
): Record<CountName<P>, Value> =>
  recordOf(
    Object.values<AnyPart>(parts).flatMap(({ counted = [] }) =>
      counted.map((name) => [name, value]),
    ),
  );

type SelectedName<P extends Parts> = {
  [Name in keyof P]: P[Name] extends { readonly selected: string } ? Name : never;
}[keyof P];

/** The switches that select the parts of a snapshot. */
export const selectedShape = <P extends Parts>(
  parts: P,
): Record<SelectedName<P>, z.ZodDefault<z.ZodBoolean>> =>
  recordOf(
    Object.entries<Part>(parts).flatMap(([name, { selected }]) =>
      selected === undefined
        ? []
        : [
            [
              name,
              z
                .boolean()
                .default(false)
                .meta({ description: `Includes ${selected}.` }),
            ],
          ],
    ),
  );

/** The switches that select what a copy of a card has. */
export const copiedShape = <P extends Parts>(
  parts: P,
): Record<Extract<P[keyof P]["copied"], Selectable>["by"], z.ZodDefault<z.ZodBoolean>> =>
  recordOf(
    selectableIn(parts).map(({ what, by, also, isDefault }) => [
      by,
      alsoNamed(z.boolean().default(isDefault), also).meta({
        description: `Whether ${what} are copied. Also accepted as \`${also}\`.`,
      }),
    ]),
  );

/** The parts that an input selects for copies. */
export const selectableIn = (parts: Parts): Selectable[] =>
  Object.values(parts).flatMap(({ copied }) => ("by" in copied ? copied : []));
