import { builtIn, type FieldsByName, type FilterField } from "./fields.ts";
import { fold } from "./fold.ts";
import { testOf, type FilterContext, type FilterTest } from "./test-of.ts";
import type { FilterLeaf, FilterTree } from "./tree.ts";

/** A card as lists of cards show it, or alone. */
export type FilteredCard = Readonly<Record<string, unknown>>;

/** The value of a field of a card: null if there is none, an array of many things. */
type Value = string | number | boolean | null | readonly (string | number | boolean)[];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Whether a card passes a valid filter, as the service decides it. */
export function passesFilter(
  card: FilteredCard,
  tree: FilterTree,
  context: FilterContext,
  fields: FieldsByName = builtIn,
): boolean {
  const passes = (inner: FilterTree) => passesFilter(card, inner, context, fields);
  if ("and" in tree) return tree.and.every(passes);
  if ("or" in tree) return tree.or.some(passes);
  if ("not" in tree) return !passes(tree.not);
  const field = fields(tree.field);
  if (field === undefined) return false;
  return passesLeaf(valueOf(card, tree.field, context.now), tree, field, context);
}

/** Whether a value passes a condition. */
export function passesLeaf(
  value: Value,
  leaf: FilterLeaf,
  field: FilterField,
  context: FilterContext,
): boolean {
  const { test, isNegated } = testOf(leaf, field, context);
  // A checkbox without a value is not checked.
  const known = field.kind === "flag" ? value === true : value;
  return fulfils(field.kind === "moment" ? timeOf(value) : known, test) !== isNegated;
}

const timeOf = (value: Value) => (typeof value === "string" ? Date.parse(value) : null);

function fulfils(value: Value, test: FilterTest): boolean {
  if ("anyOf" in test) {
    const has = (one: string | number | boolean) => test.anyOf.includes(one);
    return typeof value === "object" ? (value ?? []).some(has) : has(value);
  }
  if ("isEmpty" in test) {
    return value === null || value === "" || (typeof value === "object" && value.length === 0);
  }
  if ("contains" in test) return typeof value === "string" && fold(value).includes(test.contains);
  if (typeof value !== "number") return false;
  const { lt, lte, gt, gte } = test.bounds;
  return (
    (lt === undefined || value < lt) &&
    (lte === undefined || value <= lte) &&
    (gt === undefined || value > gt) &&
    (gte === undefined || value >= gte)
  );
}

const idsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap((one) => idOf(one) ?? []) : [];
const idOf = (value: unknown) =>
  isRecord(value) && typeof value["publicId"] === "string" ? value["publicId"] : null;

/** The id of the member who has a claim that has not ended. */
const claimer = (claim: unknown, now: number) =>
  isRecord(claim) && Date.parse(String(claim["expiresAt"])) > now ? idOf(claim["member"]) : null;

/** The value of a field of a card. */
function valueOf(card: FilteredCard, name: string, now: number): Value {
  if (name === "text") return `${String(card["cardNumber"])}\n${String(card["title"])}`;
  if (name === "claim") return claimer(card["claim"], now);
  if (name === "labels" || name === "members") return idsOf(card[name]);
  if (name === "description" && card[name] === undefined) return card["hasDescription"] ? " " : "";
  const [first = "", ...rest] = name.split(".");
  const value = rest.reduce<unknown>(
    (inner, step) => (isRecord(inner) && Object.hasOwn(inner, step) ? inner[step] : null),
    Object.hasOwn(card, first) ? card[first] : null,
  );
  if (Array.isArray(value)) return value;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : null;
}
