import type { FilterLeaf, FilterTree } from "../../contract/filter/tree.ts";
import {
  dueGroups,
  isGroupField,
  noGroup,
  type GroupField,
} from "../../contract/resources/views.ts";
import { cardPriorities } from "../../contract/vocabulary/priorities.ts";
import { badRequest } from "../../platform/errors.ts";

/** The field whose values are the keys of groups. */
const fields: Readonly<Record<GroupField, string>> = {
  list: "listPublicId",
  label: "labels",
  member: "members",
  priority: "priority",
  due: "dueDate",
};

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

const isOneOf = <Key extends string>(keys: readonly Key[], key: string): key is Key =>
  keys.some((one) => one === key);

/** The condition that the cards of a group pass; 400 for a key that no group can have. */
export function treeOfGroup(groupBy: string, key: string): FilterTree {
  const known = { priority: cardPriorities, due: dueGroups };
  if (groupBy === "due" && isOneOf(dueGroups, key)) return dueTrees[key];
  if (groupBy === "due" || (groupBy === "priority" && !isOneOf(cardPriorities, key))) {
    const message = `The value must be one of ${known[groupBy].join(", ")}.`;
    throw badRequest("invalid_value", message, ["group"]);
  }
  const field = isGroupField(groupBy) ? fields[groupBy] : groupBy;
  const hasNone = groupBy !== "priority" && groupBy !== "list";
  // Cards of boards that lack a custom field are in the group without a value too.
  return key === noGroup && hasNone
    ? { not: { field, op: "isNotEmpty" } }
    : { field, op: "is", value: key };
}
