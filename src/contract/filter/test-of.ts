import { fold } from "./fold.ts";
import type { FilterField } from "./fields.ts";
import { midnightOf, periodOf, type Calendar } from "./periods.ts";
import type { FilterLeaf } from "./tree.ts";

/** Who asks, and when: `me` are the public ids of the caller as a member. */
export type FilterContext = Calendar & { me: string | readonly string[] | null };

/** What a moment is compared with. */
export type Bounds = { lt?: number; lte?: number; gt?: number; gte?: number };

/** What a condition tests of a value: moments are milliseconds since 1970. */
export type FilterTest =
  | { anyOf: readonly (string | number | boolean)[] }
  | { isEmpty: true }
  | { contains: string }
  /** `days` are the bounds of whole days, by their midnights in UTC. */
  | { bounds: Bounds; days?: Bounds };

/** A test, and whether a value passes that does not fulfil it. */
export type Condition = { test: FilterTest; isNegated: boolean };

const negated = new Set(["isNot", "isNoneOf", "isNotEmpty"]);
const nothing: FilterTest = { anyOf: [] };

/** What a valid condition on a field tests. */
export function testOf(leaf: FilterLeaf, field: FilterField, context: FilterContext): Condition {
  return { test: testFor(leaf, field, context), isNegated: negated.has(leaf.op) };
}

function testFor({ op, value }: FilterLeaf, field: FilterField, context: FilterContext) {
  if (op === "isEmpty" || op === "isNotEmpty") {
    const [none] = field.options ?? [];
    return field.hasNone && none !== undefined ? { anyOf: [none] } : { isEmpty: true as const };
  }
  if (op === "contains") return { contains: fold(String(value)) };
  if (field.kind === "moment") {
    const bounds = momentBounds(op, periodOf(value, context));
    return { bounds, days: boundsOfDays(bounds, context) };
  }
  if (op === "lt" || op === "lte" || op === "gt" || op === "gte") {
    return field.kind === "choice"
      ? { anyOf: optionsWithin(field.options ?? [], op, String(value)) }
      : { bounds: { [op]: Number(value) } };
  }
  return anyOf(Array.isArray(value) ? value : [value], field, context);
}

/** Whether values are names, which are folded before they are compared. */
export const isNamed = ({ kind }: FilterField): boolean => kind === "name" || kind === "names";

function anyOf(values: unknown[], field: FilterField, { me }: FilterContext): FilterTest {
  const options = values.flatMap((value) => {
    if (isNamed(field)) return [fold(String(value))];
    if (field.isMember && value === "me") return [me ?? []].flat();
    const isValue =
      typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return isValue ? [value] : [];
  });
  return options.length === 0 ? nothing : { anyOf: options };
}

function momentBounds(op: string, period: readonly [number, number] | undefined): Bounds {
  if (period === undefined) return { lt: Number.NEGATIVE_INFINITY };
  const [from, until] = period;
  switch (op) {
    case "lt":
      return { lt: from };
    case "lte":
      return { lt: until };
    case "gt":
      return { gte: until };
    case "gte":
      return { gte: from };
    default:
      return { gte: from, lt: until };
  }
}

const dayMs = 86_400_000;

/**
 * The bounds of whole days that are like some of moments, for people in a time zone.
 *
 * A day has passed a moment when it has ended, and comes behind one when it begins then or later: a
 * day is within a period that has all of it.
 */
function boundsOfDays({ lt, gte }: Bounds, { timeZone }: Calendar): Bounds {
  return {
    ...(lt === undefined ? {} : { lt: isDay(lt) ? midnightOf(lt, timeZone) : lt }),
    ...(gte === undefined ? {} : { gte: isDay(gte) ? midnightOf(gte - 1, timeZone) + dayMs : gte }),
  };
}

/** Whether a bound is a moment of a day, and not infinite. */
const isDay = Number.isFinite;

function optionsWithin(options: readonly string[], op: string, value: string) {
  const at = options.indexOf(value);
  return options.filter((_, nth) => {
    if (op === "lt") return nth < at;
    if (op === "lte") return nth <= at;
    return op === "gt" ? nth > at : nth >= at;
  });
}
