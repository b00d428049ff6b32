import { cardFields } from "../fields/card.ts";
import { sortFields, type SortName as FieldSort } from "../fields/field.ts";

/** A key that cards are sorted by: a field, and its direction. Cards without a value come last. */
export type SortKey = { field: string; order: "asc" | "desc" };

/** The orders of listings that have a name. */
export type SortName = "position" | FieldSort<typeof cardFields>;

const orders: readonly (readonly [SortName, SortKey["order"], string])[] = [
  ["position", "asc", "list by list, as on the board"],
  ...sortFields(cardFields).map(
    ([name, { sort }]) => [name, sort?.order ?? "asc", sort?.about ?? ""] as const,
  ),
];

/** The names of the sorts. */
export const sortNames: SortName[] = orders.map(([name]) => name);

/** What the sorts mean. */
export const aboutSorts = orders.map(([name, , about]) => `\`${name}\`: ${about}.`).join(" ");

/** The keys of an order with a name. */
export const usualSort = (name: SortName): SortKey[] => [{ field: name, order: usualOrder(name) }];

/** The direction in which a field is sorted, unless another is named. */
export const usualOrder = (field: string): SortKey["order"] =>
  orders.find(([name]) => name === field)?.[1] ?? "asc";
