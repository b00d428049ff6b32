import type { cardFields } from "../fields/card.ts";
import type { Permission } from "../vocabulary/permissions.ts";
import { cardPriorities } from "../vocabulary/priorities.ts";
import type { FilterOp } from "./tree.ts";

/**
 * What a field holds: `ids` are those of many things, `id` that of one or none. Names are compared
 * as `contains` compares texts.
 */
export type FilterKind =
  | "text"
  | "number"
  | "moment"
  | "flag"
  | "choice"
  | "id"
  | "ids"
  | "name"
  | "names";

/** A field that cards are filtered by. */
export type FilterField = {
  kind: FilterKind;
  /** The values of a choice in their order; the first means none if it `hasNone`. */
  options?: readonly string[];
  hasNone?: true;
  /** The field that says whether a moment is a whole day: else a text without a time is one. */
  allDay?: string;
  /** How it is compared, if not in all ways of its kind. */
  ops?: readonly FilterOp[];
  /** Whether its ids are of members: `me` is the caller. */
  isMember?: true;
  /** The permission that seeing it requires. Without it, it counts as empty. */
  needs?: Permission;
  /** The direction in which it is sorted, if it is no key of filters only. */
  order?: "asc" | "desc";
};

/** The fields with a direction, as the declaration of cards has it. */
type Ordered = {
  [Name in keyof typeof cardFields]: (typeof cardFields)[Name] extends {
    sort: { order: infer Order };
  }
    ? { order: Order }
    : { order?: never };
};

const equal = ["is", "isNot", "isAnyOf", "isNoneOf"] as const;
const empty = ["isEmpty", "isNotEmpty"] as const;
const ordered = ["lt", "lte", "gt", "gte"] as const;

const opsOfKind: Readonly<Record<FilterKind, readonly FilterOp[]>> = {
  text: [...equal, ...empty, "contains"],
  number: [...equal, ...empty, ...ordered],
  moment: ["is", "isNot", ...empty, ...ordered, "within"],
  flag: ["is", "isNot"],
  choice: [...equal, ...empty, ...ordered],
  id: [...equal, ...empty],
  ids: [...equal, ...empty],
  name: equal,
  names: equal,
};

/** How a field is compared. */
export const opsOf = ({ kind, ops }: FilterField): readonly FilterOp[] => ops ?? opsOfKind[kind];

/**
 * The fields of a card that filters name, beside its custom fields. The compiler compares them with
 * the declaration of cards.
 */
export const filterFields = {
  publicId: { kind: "id", ops: equal },
  title: { kind: "text" },
  description: { kind: "text", ops: [...empty, "contains"] },
  /** The title or the card number. */
  text: { kind: "text", ops: ["contains"] },
  cardNumber: { kind: "text", ops: [...equal, "contains"] },
  listPublicId: { kind: "id", ops: equal },
  /** Those of several boards by one name. */
  listName: { kind: "name", needs: "list:view" },
  labelNames: { kind: "names", needs: "board:view" },
  boardPublicId: { kind: "id", ops: equal },
  labels: { kind: "ids", needs: "board:view" },
  members: { kind: "ids", isMember: true },
  claim: { kind: "id", isMember: true },
  priority: {
    kind: "choice",
    options: cardPriorities,
    hasNone: true,
    order: "desc",
  },
  startDate: { kind: "moment", allDay: "isStartAllDay" },
  isStartAllDay: { kind: "flag" },
  dueDate: { kind: "moment", allDay: "isDueAllDay", order: "asc" },
  isDueAllDay: { kind: "flag" },
  createdAt: { kind: "moment", order: "desc" },
  updatedAt: { kind: "moment", order: "desc" },
  isComplete: { kind: "flag" },
  isArchived: { kind: "flag" },
  version: { kind: "number" },
  commentCount: { kind: "number", needs: "comment:view" },
  attachmentCount: { kind: "number" },
  "checklistItems.total": { kind: "number" },
  "checklistItems.completed": { kind: "number" },
  /** Whether a card of the board that is not complete blocks it. */
  isBlocked: { kind: "flag" },
  /** Whether it can be worked on: not complete, archived, claimed or blocked. */
  isReady: { kind: "flag" },
  parent: { kind: "id" },
  /** The cards of the board that it blocks. */
  blocks: { kind: "ids" },
  hasChildren: { kind: "flag" },
} as const satisfies Readonly<Record<string, FilterField>> &
  Record<keyof typeof cardFields, FilterField> &
  Ordered;

/** The name of a field of every card. */
export type FilterFieldName = keyof typeof filterFields;

/** Fields by their names, custom fields among them. */
export type FieldsByName = (name: string) => FilterField | undefined;

/** Whether a name is that of a field of every card. */
export const isFilterField = (name: string): name is FilterFieldName =>
  Object.hasOwn(filterFields, name);

/** The fields of every card. */
export const builtIn: FieldsByName = (name) =>
  isFilterField(name) ? filterFields[name] : undefined;

/** What custom fields hold, by their type. */
export const customKinds = {
  text: { kind: "text" },
  url: { kind: "text" },
  number: { kind: "number" },
  date: { kind: "moment" },
  checkbox: { kind: "flag" },
  select: { kind: "id" },
  multiSelect: { kind: "ids" },
  member: { kind: "id", isMember: true },
} as const satisfies Readonly<Record<string, FilterField>>;

/** The fields of every card, and the custom fields of a board. */
export function fieldsWith(
  fields: readonly { publicId: string; type: keyof typeof customKinds }[],
): FieldsByName {
  const custom = new Map<string, FilterField>(
    fields.map(({ publicId, type }) => [`fields.${publicId}`, customKinds[type]]),
  );
  return (name) => builtIn(name) ?? custom.get(name);
}

/** The public id in the name of a custom field; undefined for another name. */
export const customFieldId = (name: string): string | undefined =>
  /^fields\.(.{12,64})$/s.exec(name)?.[1];
