import {
  builtIn,
  customFieldId,
  filterFields,
  opsOf,
  type FieldsByName,
  type FilterField,
} from "./fields.ts";
import { fold } from "./fold.ts";
import { periodNames, periodOf } from "./periods.ts";
import { filterLimits, filterOps, type FilterOp, type FilterTree } from "./tree.ts";

/** A problem of a filter, with the path from its root. */
export type FilterIssue = { message: string; path: (string | number)[] };

type Path = readonly (string | number)[];
type CheckState = { issues: FilterIssue[]; leaves: number; fields: FieldsByName };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isOp = (value: unknown): value is FilterOp => filterOps.some((op) => op === value);
const groups = ["and", "or", "not"] as const;
const ofLeaf = new Set(["field", "op", "value"]);
const forms = "A filter is { and: [...] }, { or: [...] }, { not: {...} } or { field, op, value }.";

/**
 * Finds the problems of a value that should be a filter.
 *
 * Values of custom fields that are not among the `fields` are checked when these are known.
 */
export function filterIssues(filter: unknown, fields: FieldsByName = builtIn): FilterIssue[] {
  const state: CheckState = { issues: [], leaves: 0, fields };
  checkNode(filter, [], 0, state);
  return state.issues;
}

/** Whether something is a filter. */
export const isFilter = (value: unknown): value is FilterTree => filterIssues(value).length === 0;

const fieldNames =
  `The value must be one of ${Object.keys(filterFields).join(", ")}, ` +
  "or `fields.<fieldPublicId>` of a custom field.";

/** The most problems that are reported: more help nobody. */
const maxIssues = 20;

function checkNode(node: unknown, path: Path, depth: number, state: CheckState): void {
  if (state.issues.length >= maxIssues) return;
  const addIssue = (message: string, ...more: Path) =>
    void state.issues.push({ message, path: [...path, ...more] });
  if (!isRecord(node)) return addIssue(forms);
  const keys = Object.keys(node);
  const group = groups.find((name) => Object.hasOwn(node, name));
  if (group === undefined) return checkLeaf(node, path, state);
  const unknownKey = keys.find((key) => key !== group);
  if (unknownKey !== undefined)
    return addIssue(`Unknown field beside \`${group}\`. ${forms}`, unknownKey);
  if (depth >= filterLimits.depth) {
    return addIssue(`Groups may be nested ${filterLimits.depth} deep.`, group);
  }
  const inner = node[group];
  if (group === "not") return checkNode(inner, [...path, group], depth + 1, state);
  if (!Array.isArray(inner)) return addIssue("The value must be a list of filters.", group);
  if (inner.length === 0) return addIssue("A group must have at least one filter.", group);
  if (inner.length > filterLimits.leaves) {
    return addIssue(`A filter has at most ${filterLimits.leaves} conditions.`, group);
  }
  for (const [nth, child] of inner.entries())
    checkNode(child, [...path, group, nth], depth + 1, state);
}

function checkLeaf(leaf: Readonly<Record<string, unknown>>, path: Path, state: CheckState): void {
  const addIssue = (message: string, ...more: Path) =>
    void state.issues.push({ message, path: [...path, ...more] });
  state.leaves++;
  // All conditions that are too many are one problem.
  if (state.leaves > filterLimits.leaves) {
    if (state.leaves === filterLimits.leaves + 1)
      addIssue(`A filter has at most ${filterLimits.leaves} conditions.`);
    return;
  }
  const unknown = Object.keys(leaf).find((key) => !ofLeaf.has(key));
  if (unknown !== undefined) return addIssue(`Unknown field. ${forms}`, unknown);
  const { field: name, op, value } = leaf;
  if (typeof name !== "string")
    return addIssue(name === undefined ? forms : "Must be a text.", "field");
  if (!isOp(op)) return addIssue(`The value must be one of ${filterOps.join(", ")}.`, "op");
  const field = state.fields(name);
  if (field === undefined) {
    if (customFieldId(name) === undefined) addIssue(fieldNames, "field");
    return;
  }
  if (!opsOf(field).includes(op)) {
    return addIssue(`\`${name}\` can be compared with ${opsOf(field).join(", ")}.`, "op");
  }
  const problem =
    op === "contains" && typeof value === "string" && value !== "" && fold(value) === ""
      ? "The text must have a character that is seen."
      : problemOf(op, value, field);
  if (problem !== undefined) addIssue(problem, "value");
}

function problemOf(op: FilterOp, value: unknown, field: FilterField): string | undefined {
  if (op === "isEmpty" || op === "isNotEmpty") {
    return value === undefined ? undefined : `\`${op}\` has no value.`;
  }
  if (value === undefined) return "Required";
  if (op !== "isAnyOf" && op !== "isNoneOf") return problemOfOne(value, field);
  if (!Array.isArray(value)) return "The value must be a list.";
  if (value.length === 0 || value.length > filterLimits.values) {
    return `The list must have 1 to ${filterLimits.values} values.`;
  }
  for (const item of value) {
    const problem = problemOfOne(item, field);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const anyMoment = { now: 0, timeZone: "UTC", weekStartDay: 1 };
const aboutMoments =
  "a date such as 2026-01-31, a time with `Z` or an offset, `now`, " +
  `${periodNames.join(", ")}, \`last 7 days\` or \`next 7 days\``;

/** An id has no spaces and at least twelve characters: a shorter text is a name. */
const isId = (text: string) => /^\S{12,64}$/.test(text);

function problemOfOne(
  value: unknown,
  { kind, options, isMember }: FilterField,
): string | undefined {
  switch (kind) {
    case "number":
      return typeof value === "number" && Number.isFinite(value)
        ? undefined
        : "The value must be a number.";
    case "flag":
      return typeof value === "boolean" ? undefined : "The value must be true or false.";
    case "moment":
      return periodOf(value, anyMoment) === undefined
        ? `The value must be ${aboutMoments}.`
        : undefined;
    case "choice":
      return options?.some((option) => option === value)
        ? undefined
        : `The value must be one of ${options?.join(", ")}.`;
    case "id":
    case "ids": {
      if (typeof value === "string" && (isId(value) || (isMember && value === "me"))) {
        return undefined;
      }
      const input = typeof value === "string" && value.length <= 64 ? `, not \`${value}\`` : "";
      return `The value must be a public id${isMember ? ", or `me`" : ""}${input}: ids, not names.`;
    }
    default:
      return typeof value === "string" && value.length > 0 && value.length <= filterLimits.text
        ? undefined
        : `The value must be a text of 1 to ${filterLimits.text} characters.`;
  }
}
