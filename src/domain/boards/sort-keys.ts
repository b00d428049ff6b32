import { cardFields } from "../../contract/fields/card.ts";
import type { Field } from "../../contract/fields/field.ts";
import type { SortKey } from "../../contract/filter/sort.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { typeOf } from "../declared-fields.ts";
import { childCount, openBlockerCount } from "../related/related-sql.ts";
import type { CustomFields, CustomFilterField } from "../filters/custom-fields.ts";

/** What rows are sorted by, in SQL. Rows without a value come last. */
export type Key = {
  field: string;
  by: Sql;
  type: Sql;
  isDescending: boolean;
  isNullable: boolean;
  /** Where its values are, if not on cards: a table `v`, whose index begins with `isOf`. */
  values?: { from: Sql; isOf: Sql; by: Sql; cardId: Sql };
};

const texts: OfType = { column: sql`v.text`, by: sql`left(v.text, 200)`, type: sql`text` };
/** The column of a type, and how it is sorted: as the index of the column is. */
type OfType = { column: Sql; by?: Sql; type: Sql };
const ofTypes: { readonly [Type in CustomFilterField["type"]]?: OfType } = {
  text: texts,
  url: texts,
  number: { column: sql`v.number`, type: sql`numeric` },
  date: { column: sql`v.date`, type: sql`timestamptz` },
};

/** Whether cards can be sorted by a custom field. */
export const isSortable = ({ type }: CustomFilterField): boolean => ofTypes[type] !== undefined;

function keyOfCustom(
  field: string,
  { id, type: typeOfField }: CustomFilterField,
  isDescending: boolean,
): Key {
  const { column, by = column, type } = ofTypes[typeOfField] ?? texts;
  const from = sql`card_field_values v`;
  return {
    field,
    by: sql`(SELECT ${by} FROM ${from} WHERE v."cardId" = c.id AND v."fieldId" = ${id})`,
    type,
    isDescending,
    isNullable: true,
    values: {
      from,
      isOf: sql`v."fieldId" = ${id} AND ${column} IS NOT NULL`,
      by,
      cardId: sql`v."cardId"`,
    },
  };
}

const fields: Readonly<Record<string, Field>> = cardFields;
const positions = [sql`l.position`, sql`c.position`];
/** Numbers of cards: of the type that `count` has. */
const counts = new Map([
  ["openBlockers", openBlockerCount],
  ["children", childCount],
]);

function keysOfField({ field: name, order }: SortKey, custom?: CustomFields): Key[] {
  const isDescending = order === "desc";
  const named = custom?.get(name);
  if (named !== undefined) return [keyOfCustom(name, named, isDescending)];
  if (name === "position") {
    return positions.map((by) => ({
      field: name,
      by,
      type: sql`numeric`,
      isDescending,
      isNullable: false,
    }));
  }
  const count = counts.get(name);
  if (count !== undefined)
    return [{ field: name, by: count, type: sql`bigint`, isDescending, isNullable: false }];
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined) throw new Error(`Cards are not sorted by ${name}.`);
  const by = sql`c.${sql.identifier(field.column)}`;
  const isNullable = field.output.safeParse(null).success;
  return [{ field: name, by, type: typeOf(field), isDescending, isNullable }];
}

/** The keys of an order. Equal cards follow their ids, in the direction of the last key. */
export function keysOf(sort: readonly SortKey[], custom?: CustomFields): Key[] {
  const keys = sort.flatMap((key) => keysOfField(key, custom));
  const isDescending = keys.at(-1)?.isDescending === true;
  return [
    ...keys,
    { field: "id", by: sql`c.id`, type: sql`bigint`, isDescending, isNullable: false },
  ];
}

const list = (fragments: readonly Sql[]) => sql.join(fragments, sql`, `);

/** SQL: the texts of the keys of a row, for the cursor. */
export const textsOf = (keys: readonly Key[]): Sql =>
  sql`ARRAY[${list(keys.map(({ by }) => sql`${by}::text`))}]`;

/** SQL: the order of keys. An index serves it, where it has values. */
export const orderOf = (keys: readonly Key[]): Sql =>
  list(
    keys.map(({ by, isDescending, isNullable }) => {
      const direction = isDescending ? sql`DESC` : sql`ASC`;
      return isNullable ? sql`${by} ${direction} NULLS LAST` : sql`${by} ${direction}`;
    }),
  );

/**
 * Where the next page begins: behind these values of the keys, which are SQL.
 *
 * Behind all cards with some values, if the values of the last keys are missing; but a null at the
 * end is before all cards without a value of its key.
 */
export type After = readonly (Sql | null)[];

/** SQL: whether a row comes behind some values of its keys. */
export function isAfter(keys: readonly Key[], after: After): Sql {
  const [key, ...others] = keys;
  const [value = null, ...rest] = after;
  if (key === undefined) return sql`false`;
  if (after.length === 0) return sql`false`;
  const named = keys.slice(0, after.length);
  const isOneOrder = named.every((one) => !one.isNullable && one.isDescending === key.isDescending);
  const operator = key.isDescending ? sql`<` : sql`>`;
  if (isOneOrder) {
    // PostgreSQL estimates by the first value alone, which all cards may have: it must not know it.
    const values = after.map((one, nth) => (nth === 0 ? sql`(SELECT ${one})` : (one ?? sql`NULL`)));
    return sql`(${list(named.map(({ by }) => by))}) ${operator} (${list(values)})`;
  }
  const { by, isNullable } = key;
  if (value === null && rest.length === 0) return sql`${by} IS NULL`;
  if (value === null) return sql`(${by} IS NULL AND ${isAfter(others, rest)})`;
  const isLater = isNullable
    ? sql`(${by} ${operator} ${value} OR ${by} IS NULL)`
    : sql`${by} ${operator} ${value}`;
  // The first one is what an index reads from.
  const isFrom = isNullable ? sql.empty : sql`${by} ${operator}= ${value} AND`;
  return sql`(${isFrom} (${isLater} OR (${by} = ${value} AND ${isAfter(others, rest)})))`;
}
