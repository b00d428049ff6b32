import { cardPriorities } from "../vocabulary/priorities.ts";
import type { FilterFieldName } from "./fields.ts";

/** The key of the group of cards without a value. */
export const noGroup = "none";

/** The groups of due dates, in order. */
export const dueGroups = ["past", "today", "tomorrow", "thisWeek", "later", noGroup] as const;

/** What cards of all boards can be grouped by. */
export const groupFields = ["list", "label", "member", "priority", "due", "parent"] as const;

/** What cards of all boards can be grouped by. */
export type GroupField = (typeof groupFields)[number];

type Declared = {
  /** The field of filters whose values are the keys of the groups. */
  field: FilterFieldName;
  /** That of their names, by which the groups of several boards can be one. */
  name?: FilterFieldName;
  /** All keys, in order, of a field that has no others. */
  keys?: readonly string[];
  /** Whether every card has a value. */
  isOfAll?: true;
};

/** How cards are grouped: whoever groups cards walks over it. */
const groupings: Readonly<Record<GroupField, Declared>> = {
  list: { field: "listPublicId", name: "listName", isOfAll: true },
  label: { field: "labels", name: "labelNames" },
  member: { field: "members" },
  priority: { field: "priority", keys: cardPriorities, isOfAll: true },
  due: { field: "dueDate", keys: dueGroups },
  parent: { field: "parent" },
};

/** How cards are grouped by a field; undefined for custom fields. */
export const groupingOf = (field: string): Declared | undefined =>
  isGroupField(field) ? groupings[field] : undefined;

/** Whether cards of all boards can be grouped by a field. */
export const isGroupField = (field: string): field is GroupField =>
  groupFields.some((groupField) => groupField === field);
