import type { FilterLeaf, FilterTree } from "../../contract/filter/tree.ts";
import { dueGroups, groupingOf, noGroup } from "../../contract/filter/groupings.ts";
import type { Query } from "../../platform/db/query.ts";
import { badRequest } from "../../platform/errors.ts";
import { readOptionsNamed } from "../filters/custom-fields.ts";
import type { ViewGrouping } from "./selection.ts";

const due = (op: FilterLeaf["op"], value: string): FilterLeaf => ({ field: "dueDate", op, value });

/** The conditions of the groups of due dates. Every card is in one of them. */
export const dueTrees: Readonly<Record<(typeof dueGroups)[number], FilterTree>> = {
  past: due("lt", "today"),
  today: due("is", "today"),
  tomorrow: due("is", "tomorrow"),
  thisWeek: { and: [due("gt", "tomorrow"), due("lte", "thisWeek")] },
  later: { and: [due("gt", "tomorrow"), due("gt", "thisWeek")] },
  none: { field: "dueDate", op: "isEmpty" },
};

const isDueGroup = (key: string): key is (typeof dueGroups)[number] =>
  dueGroups.some((one) => one === key);

const anyOf = (trees: FilterTree[]): FilterTree =>
  trees.length === 0 ? { field: "publicId", op: "isAnyOf", value: [] } : { or: trees };

/** The condition that the cards pass whose lists, labels or options have a name. */
async function treeOfName(
  query: Query,
  { field, custom }: ViewGrouping,
  key: string,
): Promise<FilterTree> {
  const name = /^name:(.+)$/s.exec(key)?.[1];
  const own = groupingOf(field)?.name;
  const fieldNames = own === undefined ? [...custom.keys()] : [own];
  if (key === noGroup)
    return { not: anyOf(fieldNames.map((one) => ({ field: one, op: "isNotEmpty" }))) };
  if (name === undefined)
    throw badRequest("invalid_value", "The value must be a `key` of `view.groups`.", ["group"]);
  if (own !== undefined) return { field: own, op: "is", value: name };
  const options = await readOptionsNamed(query, custom, name);
  return anyOf([...options].map(([one, value]) => ({ field: one, op: "isAnyOf", value })));
}

/** The condition that the cards of a group pass; 400 for a key that no group can have. */
export async function treeOfGroup(
  query: Query,
  grouping: ViewGrouping,
  key: string,
): Promise<FilterTree> {
  if (grouping.byName) return treeOfName(query, grouping, key);
  const declared = groupingOf(grouping.field);
  const { field = grouping.field, keys, isOfAll = false } = declared ?? {};
  if (keys?.includes(key) === false) {
    const message = `The value must be one of ${keys.join(", ")}.`;
    throw badRequest("invalid_value", message, ["group"]);
  }
  if (keys === dueGroups && isDueGroup(key)) return dueTrees[key];
  // Cards of boards that lack a custom field are in the group without a value too.
  return key === noGroup && !isOfAll
    ? { not: { field, op: "isNotEmpty" } }
    : { field, op: "is", value: key };
}
