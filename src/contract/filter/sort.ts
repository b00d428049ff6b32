import { cardFields } from "../fields/card.ts";
import { sortFields, type SortName as FieldSort } from "../fields/field.ts";

/** A key that cards are sorted by: a field, and its direction. Cards without a value come last. */
export type SortKey = { field: string; order: "asc" | "desc" };

/** The orders of listings that have a name: an index serves each. */
export type SortName = "position" | FieldSort<typeof cardFields>;

/** What cards are sorted by, beside custom fields. */
export type KeyName = SortName | "openBlockers" | "children";

type Order<Name> = readonly [Name, SortKey["order"], string];

const orders: readonly Order<SortName>[] = [
  ["position", "asc", "list by list, as on the board"],
  ...sortFields(cardFields).map(
    ([name, { sort }]) => [name, sort?.order ?? "asc", sort?.about ?? ""] as const,
  ),
];

/** The keys that an order has beside those with a name: numbers of other cards. */
const counts: readonly Order<KeyName>[] = [
  ["openBlockers", "desc", "most first"],
  ["children", "desc", "those with most children first"],
];

const keys: readonly Order<KeyName>[] = [...orders, ...counts];

/** The names of the sorts. */
export const sortNames: SortName[] = orders.map(([name]) => name);

/** The names of the keys. */
export const keyNames: KeyName[] = keys.map(([name]) => name);

const about = (some: readonly Order<KeyName>[]) =>
  some.map(([name, , meaning]) => `\`${name}\`: ${meaning}.`).join(" ");

/** What the sorts mean. */
export const aboutSorts = about(orders);

/** What the keys mean. */
export const aboutKeys = about(keys);

/** The keys of an order with a name. */
export const usualSort = (name: SortName): SortKey[] => [{ field: name, order: usualOrder(name) }];

/** The direction in which a field is sorted, unless another is named. */
export const usualOrder = (field: string): SortKey["order"] =>
  keys.find(([name]) => name === field)?.[1] ?? "asc";
