import { builtIn, customFieldId } from "../../contract/filter/fields.ts";
import type { FilterTree, FilterValue } from "../../contract/filter/tree.ts";
import type { Stored } from "./stored.ts";

/** The ids of a copy. */
export type NewIds = {
  /** The id of what an id names; the same if it names nothing that was copied. */
  idOf: (id: string) => string;
  /** Whether the value of a custom field is the id of an option or a member. */
  isNamed: (value: string) => boolean;
};

const isTexts = (value: FilterValue): value is string[] =>
  typeof value === "object" && typeof value[0] === "string";

/** What a view says of its cards, with the ids of a copy of what it names. */
export function withNewIds(
  { boards, filter, sortBy, groupBy }: Stored,
  { idOf, isNamed }: NewIds,
): Stored {
  const fieldOf = (name: string) => {
    const id = customFieldId(name);
    return id === undefined ? name : `fields.${idOf(id)}`;
  };
  const ofTree = (tree: FilterTree): FilterTree => {
    if ("and" in tree) return { and: tree.and.map(ofTree) };
    if ("or" in tree) return { or: tree.or.map(ofTree) };
    if ("not" in tree) return { not: ofTree(tree.not) };
    const { field, op, value } = tree;
    const kind = builtIn(field)?.kind;
    const hasIds = kind === "id" || kind === "ids";
    const isCustom = kind === undefined;
    const valueOf = (one: string) =>
      one !== "me" && (hasIds || (isCustom && isNamed(one))) ? idOf(one) : one;
    const named = { field: fieldOf(field), op };
    if (value === undefined) return named;
    if (typeof value === "string") return { ...named, value: valueOf(value) };
    return { ...named, value: isTexts(value) ? value.map(valueOf) : value };
  };
  return {
    boards: boards.map(idOf),
    filter: filter === null ? null : ofTree(filter),
    sortBy: sortBy.map(({ field, order }) => ({ field: fieldOf(field), order })),
    groupBy: groupBy === null ? null : fieldOf(groupBy),
  };
}
