import type { CardFilter } from "@workspace-board-service/client";
import type { BoardView } from "@workspace-board-service/client/store";
import type { Field } from "../base/types.ts";
import { peopleOf, type Choice } from "../components/choice-menu.tsx";
import { priorityChoices } from "../card/card-fields.tsx";
import { colourClass } from "../components/parts.tsx";

/** What is chosen of each part of a filter: ids or names, or a text that is typed. */
export type Chosen = Readonly<Record<string, readonly string[]>>;

/** One thing that cards are filtered by. */
export type FilterPart = {
  key: string;
  name: string;
  /** What to choose from; without choices a text is typed. */
  choices?: readonly Choice[];
  isSingle?: boolean;
  isNumber?: boolean;
  /** The condition that what is chosen makes. */
  conditionOf: (chosen: readonly string[]) => CardFilter;
};

type Period = Choice & { conditionOf: (field: string) => CardFilter };

/** The periods of dates, by the names that the service has for them. */
const periods: readonly Period[] = [
  ["today", "Today"],
  ["tomorrow", "Tomorrow"],
  ["thisWeek", "This week"],
  ["next 7 days", "Next 7 days"],
  ["thisMonth", "This month"],
].map(([value = "", name = ""]) => ({
  publicId: value,
  name,
  conditionOf: (field) => ({ field, op: "within", value }),
}));
const past: Period = {
  publicId: "past",
  name: "In the past",
  conditionOf: (field) => ({ field, op: "lt", value: "now" }),
};
const none: Period = {
  publicId: "none",
  name: "No date",
  conditionOf: (field) => ({ field, op: "isEmpty" }),
};
const overdue: Period = {
  publicId: "overdue",
  name: "Overdue",
  conditionOf: (field) => ({
    and: [past.conditionOf(field), { field: "isComplete", op: "is", value: false }],
  }),
};

/** A part with choices of which a card has one. */
const anyOf = (key: string, name: string, choices: readonly Choice[]): FilterPart => ({
  key,
  name,
  choices,
  conditionOf: (chosen) => ({ field: key, op: "isAnyOf", value: [...chosen] }),
});

const inPeriod = (key: string, name: string, choices: readonly Period[]): FilterPart => ({
  key,
  name,
  choices,
  isSingle: true,
  conditionOf: ([chosen]) =>
    (choices.find(({ publicId }) => publicId === chosen) ?? none).conditionOf(key),
});

const typed = (key: string, name: string): FilterPart => ({
  key,
  name,
  conditionOf: ([value = ""]) => ({ field: key, op: "contains", value }),
});

const coloured = (items: readonly (Choice & { colourCode: string | null })[]): Choice[] =>
  items.map((item) => ({ ...item, className: `label ${colourClass(item)}` }));

type Members = readonly { publicId: string; name: string }[];

/** The parts of a filter that every board has. */
export const usualParts = ({ labels }: BoardView, members: Members): FilterPart[] => [
  anyOf("labels", "Labels", coloured(labels)),
  anyOf("members", "Members", peopleOf(members)),
  inPeriod("dueDate", "Due", [overdue, ...periods, none]),
  anyOf("priority", "Priority", priorityChoices),
];

/** The parts of a filter that the custom fields on cards make. */
export const fieldParts = ({ fields }: BoardView, members: Members): FilterPart[] =>
  fields.flatMap((field) => (field.isShownOnCard ? partsOf(field, members) : []));

function partsOf({ publicId, name, type, options }: Field, members: Members) {
  const key = `fields.${publicId}`;
  switch (type) {
    case "select":
    case "multiSelect":
      return [anyOf(key, name, coloured(options))];
    case "member":
      return [anyOf(key, name, peopleOf(members))];
    case "date":
      return [inPeriod(key, name, [past, ...periods, none])];
    case "checkbox":
      return [checked(key, name)];
    case "number":
      return [atLeast(key, `${name} at least`, "gte"), atLeast(key, `${name} at most`, "lte")];
    default:
      return [typed(key, name)];
  }
}

const checked = (key: string, name: string): FilterPart => ({
  key,
  name,
  choices: [
    { publicId: "true", name: "Yes" },
    { publicId: "false", name: "No" },
  ],
  isSingle: true,
  conditionOf: ([value]) => ({ field: key, op: "is", value: value === "true" }),
});

const atLeast = (field: string, name: string, op: "gte" | "lte"): FilterPart => ({
  key: `${field} ${op}`,
  name,
  isNumber: true,
  conditionOf: ([value]) => ({ field, op, value: Number(value) }),
});

/** The words that cards have. */
export const textPart = typed("text", "Text");

/** What is chosen of a part. The address may have what the part does not know. */
export function valuesOf({ key, isNumber, isSingle, choices }: FilterPart, chosen: Chosen) {
  const values = chosen[key]?.filter((value) => value !== "") ?? [];
  if (isNumber === true) return values.filter((value) => Number.isFinite(Number(value)));
  if (isSingle !== true) return values;
  return values.filter((value) => choices?.some(({ publicId }) => publicId === value));
}

/** The filter as the service reads it: all conditions hold. Undefined lets all cards pass. */
export function treeOf(chosen: Chosen, board: BoardView): CardFilter | undefined {
  const parts = [textPart, ...usualParts(board, []), ...fieldParts(board, [])];
  const conditions = parts.flatMap((part) => {
    const values = valuesOf(part, chosen);
    return values.length === 0 ? [] : [part.conditionOf(values)];
  });
  return conditions.length > 1 ? { and: conditions } : conditions[0];
}
