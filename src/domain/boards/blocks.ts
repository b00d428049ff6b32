import { builtIn } from "../../contract/filter/fields.ts";
import { testOf } from "../../contract/filter/test-of.ts";
import type { FilterLeaf, FilterTree } from "../../contract/filter/tree.ts";
import { conditionsOf, filteringOf, type CardSelection } from "../cards/filters.ts";
import { compileFilter, isCustomValue } from "../filters/compile.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import {
  byId,
  byPosition,
  columnOf,
  withoutValue,
  withValue,
  type Keys,
  type PageRead,
} from "./cards-page.ts";
import { orderOf, type Key } from "./sort-keys.ts";

/** Cards that follow each other in an order, and that an index has in this order. */
export type Block = {
  page: Sql;
  /** The values of the keys that all its cards share: its page has those of the other keys. */
  shared: Keys;
  /** SQL: what makes a card of the page one of the block. */
  tests: Sql[];
  /** The keys where the next block begins; null after the last one. */
  end: Keys | null;
};

/** More cards with the same value of a key are not sorted by the next key. */
const maxSorted = 1_000;
const beyond = sql.number(maxSorted + 1);

/**
 * The next cards of an order, and where they end.
 *
 * Cards with equal values of the first key are sorted if they are few. If they are many, all cards
 * are read in the order of the other keys, and those with the value are the block.
 */
export async function nextBlock(query: Query, reading: PageRead): Promise<Block> {
  const { keys, after } = reading;
  const [first, ...others] = keys;
  if (first === undefined) throw new Error("An order has at least one key.");
  if (first.field === "id") return whole(byId(reading));
  const { range, isKnown, isEmpty } = rangeOf(first, reading.selection);
  if (first.field === "position") return whole(byPosition(reading, range));
  if (after?.[0] === null || (first.isNullable && isEmpty))
    return emptyBlock(query, reading, first, others);
  const end = first.isNullable && !isKnown ? [null] : null;
  if (others.length === 1) return { ...whole(withValue(reading, first, range)), end };
  const ahead = await readAhead(query, reading, first, range);
  if (ahead === undefined) return { ...whole(withValue(reading, first, range)), end };
  if (ahead.isLarge) {
    const rest = ahead.isLast ? (after?.slice(1) ?? []) : [];
    const isEqual = sql`${first.by} = ${ahead.first}::${first.type}`;
    return within(query, { ...reading, keys: others }, isEqual, [ahead.first, rest]);
  }
  const { until } = ahead;
  if (until === null) return { ...whole(withValue(reading, first, range)), end };
  const isUntil = sql`${columnOf(first)} ${first.isDescending ? sql`>=` : sql`<=`}
    ${until}::${first.type}`;
  return { ...whole(withValue(reading, first, sql`${range} AND ${isUntil}`)), end: [until] };
}

const whole = (page: Sql): Block => ({ page, shared: [], tests: [], end: null });

/** The cards with one value of a key, in the order of the others: each card is tested. */
async function within(
  query: Query,
  reading: PageRead,
  isEqual: Sql,
  [value, after]: [value: string | null, after: Keys],
): Promise<Block> {
  const inner = await nextBlock(query, { ...reading, after: after.length === 0 ? null : after });
  return {
    page: inner.page,
    shared: [value, ...inner.shared],
    tests: [isEqual, ...inner.tests],
    end: inner.end === null ? (value === null ? null : [value]) : [value, ...inner.end],
  };
}

/** The cards without a value of the first key. */
async function emptyBlock(query: Query, reading: PageRead, first: Key, others: Key[]) {
  const isEmpty = sql`${first.by} IS NULL`;
  const isFew = async () => {
    const rows = await query(sql`SELECT FROM cards c
      WHERE c."boardId" = ${reading.boardId} AND ${isEmpty} LIMIT ${beyond}`);
    return rows.length <= maxSorted;
  };
  // The index of a column of cards has those without a value, in the order of ids.
  if (first.values === undefined && (others.length === 1 || (await isFew())))
    return { ...whole(withoutValue(reading, first)), shared: [null] };
  const rest = reading.after?.slice(1) ?? [];
  return within(query, { ...reading, keys: others }, isEmpty, [null, rest]);
}

type Ahead = {
  /** The next value of the first key. */
  first: string;
  /** Whether the card that was read last has it too. */
  isLast: boolean;
  /** Whether more cards have it than are sorted. */
  isLarge: boolean;
  /** The last value up to which cards are sorted; null where they end. */
  until: string | null;
};

/** Reads the next values of the first key from its index; undefined if there are none. */
async function readAhead(
  query: Query,
  { boardId, keys, after, limit }: PageRead,
  first: Key,
  range: Sql,
): Promise<Ahead | undefined> {
  const { type, values, isDescending } = first;
  const by = columnOf(first);
  const from = values?.from ?? sql`cards c`;
  const isOf = values?.isOf ?? sql`c."boardId" = ${boardId} AND ${by} IS NOT NULL`;
  const id = { ...(keys.at(-1) ?? first), by: values?.cardId ?? sql`c.id`, isDescending };
  const known = { ...first, by, isNullable: false };
  const last = after?.[0] ?? null;
  const isPast = after?.length === 1;
  const isAhead =
    last === null
      ? sql.empty
      : sql`AND ${by} ${isDescending ? sql`<` : sql`>`}${isPast ? sql.empty : sql`=`}
          ${last}::${type}`;
  const direction = isDescending ? sql`DESC` : sql`ASC`;
  const opposite = isDescending ? sql`ASC` : sql`DESC`;
  const isLarge = (value: Sql) => sql`(SELECT count(*) FROM (SELECT FROM ${from}
    WHERE ${isOf} AND ${by} BETWEEN ${value} AND ${value} LIMIT ${beyond}) equal) > ${sql.number(maxSorted)}`;
  const [found] =
    await query<Ahead>(sql`WITH ahead AS MATERIALIZED (SELECT ${by} AS key FROM ${from}
      WHERE ${isOf} AND ${range} ${isAhead} ORDER BY ${orderOf([known, id])} LIMIT ${limit}),
    ends AS MATERIALIZED (SELECT (SELECT key FROM ahead ORDER BY key ${direction} LIMIT 1) AS first,
      (SELECT key FROM ahead ORDER BY key ${opposite} LIMIT 1) AS last,
      (SELECT count(*) FROM ahead) = ${limit}::int AS goes_on),
    sized AS MATERIALIZED (SELECT ends.*, ${isLarge(sql`first`)} AS is_large FROM ends)
    SELECT first::text, coalesce(first = ${last}::${type}, false) AS "isLast",
      is_large AS "isLarge",
      CASE WHEN is_large OR NOT goes_on THEN NULL WHEN NOT ${isLarge(sql`last`)} THEN last
        ELSE (SELECT key FROM ahead WHERE key <> last ORDER BY key ${opposite} LIMIT 1) END::text
        AS until
    FROM sized WHERE first IS NOT NULL`);
  return found;
}

/** What the conditions on a key leave for its index to read. */
type Range = {
  /** SQL: the range of values. */
  range: Sql;
  /** Whether all cards that pass have a value. */
  isKnown: boolean;
  /** Whether none of them has a value. */
  isEmpty: boolean;
};

const isLeaf = (tree: FilterTree): tree is FilterLeaf => "field" in tree;

function rangeOf(key: Key, selection: CardSelection): Range {
  const filtering = filteringOf(selection);
  const custom = selection.custom?.get(key.field);
  const field = builtIn(key.field) ?? custom;
  const isByPosition = key.field === "position";
  const all = conditionsOf(selection).filter(isLeaf);
  // The index of positions has due dates too.
  const named = isByPosition ? "dueDate" : key.field;
  const leaves = all.filter((leaf) => leaf.field === named);
  const isEmpty = leaves.some(({ op }) => op === "isEmpty");
  if (isByPosition || field === undefined) {
    const range = isByPosition && isEmpty ? sql`c."dueDate" IS NULL` : sql`true`;
    return { range, isKnown: false, isEmpty: false };
  }
  const ranges = leaves.flatMap((leaf) => {
    const { test, isNegated } = testOf(leaf, field, filtering);
    if (isNegated || "isEmpty" in test || "contains" in test) return [];
    if (custom !== undefined) return isCustomValue(custom, test, filtering);
    if ("bounds" in test) return sql`(${compileFilter(leaf, filtering)})`;
    const options = field.options?.filter((option) => test.anyOf.includes(option)) ?? [];
    const [lowest, highest] = [options[0], options.at(-1)];
    if (lowest === undefined || highest === undefined) return [];
    return sql`${key.by} BETWEEN ${lowest}::${key.type} AND ${highest}::${key.type}`;
  });
  const range = sql.join([sql`true`, ...ranges], sql` AND `);
  const isKnown = ranges.length > 0 || leaves.some(({ op }) => op === "isNotEmpty");
  return { range, isKnown, isEmpty };
}
