/** The limits of a filter. */
export const filterLimits = {
  /** Conditions in a tree. */
  leaves: 50,
  /** Groups around a condition. */
  depth: 5,
  /** Values of one condition. */
  values: 100,
  /** Characters of a value. */
  text: 1_000,
  /** Keys of an order. */
  sortKeys: 3,
} as const;

/** How a condition compares a field with its value. */
export const filterOps = [
  "is",
  "isNot",
  "isAnyOf",
  "isNoneOf",
  "isEmpty",
  "isNotEmpty",
  "lt",
  "lte",
  "gt",
  "gte",
  "contains",
  "within",
] as const;

/** How a condition compares a field with its value. */
export type FilterOp = (typeof filterOps)[number];

/** The value that a condition compares with. */
export type FilterValue = string | number | boolean | string[] | number[];

/** A condition on one field of a card. */
export type FilterLeaf = {
  field: string;
  op: FilterOp;
  value?: FilterValue;
};

/** Which cards: those that pass all of some filters, any of them, or not one. */
export type FilterTree =
  | { and: FilterTree[] }
  | { or: FilterTree[] }
  | { not: FilterTree }
  | FilterLeaf;

/** The conditions of a tree, in order. */
export function leavesOf(tree: FilterTree): FilterLeaf[] {
  if ("and" in tree) return tree.and.flatMap(leavesOf);
  if ("or" in tree) return tree.or.flatMap(leavesOf);
  return "not" in tree ? leavesOf(tree.not) : [tree];
}
