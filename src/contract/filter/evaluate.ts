import { builtIn, type FieldsByName, type FilterField } from "./fields.ts";
import { isWholeDay } from "../vocabulary/whole-days.ts";
import { fold } from "./fold.ts";
import { isNamed, testOf, type Condition, type FilterContext, type FilterTest } from "./test-of.ts";
import type { FilterLeaf, FilterTree } from "./tree.ts";

/** A card as lists of cards or `card.get` show it. */
export type FilteredCard = Readonly<Record<string, unknown>>;

/** The value of a field of a card: null if there is none, an array of many things. */
type Value = string | number | boolean | null | readonly (string | number | boolean)[];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Whether a card passes a valid filter, as the service decides it. @public */
export const passesFilter = (
  card: FilteredCard,
  tree: FilterTree,
  context: FilterContext,
  fields: FieldsByName = builtIn,
): boolean => filterTest(tree, context, fields)(card);

/** Tests whether cards pass a valid filter. */
export function filterTest(
  tree: FilterTree,
  context: FilterContext,
  fields: FieldsByName = builtIn,
): (card: FilteredCard) => boolean {
  const testsOf = (trees: readonly FilterTree[]) =>
    trees.map((subtree) => filterTest(subtree, context, fields));
  if ("and" in tree) {
    const tests = testsOf(tree.and);
    return (card) => tests.every((passes) => passes(card));
  }
  if ("or" in tree) {
    const tests = testsOf(tree.or);
    return (card) => tests.some((passes) => passes(card));
  }
  if ("not" in tree) {
    const passes = filterTest(tree.not, context, fields);
    return (card) => !passes(card);
  }
  const field = fields(tree.field);
  if (field === undefined) return () => false;
  const condition = testOf(tree, field, context);
  const { allDay } = field;
  return (card) => {
    const isAllDay = allDay !== undefined && card[allDay] === true;
    return isMet(valueOf(card, tree.field, context.now), condition, field, isAllDay);
  };
}

/** Whether a value passes a condition. */
export const passesLeaf = (
  value: Value,
  leaf: FilterLeaf,
  field: FilterField,
  context: FilterContext,
): boolean => isMet(value, testOf(leaf, field, context), field);

function isMet(
  value: Value,
  { test, isNegated }: Condition,
  field: FilterField,
  isAllDay = false,
): boolean {
  const { kind } = field;
  if (isNamed(field)) return fulfils(foldedNames(value), test) !== isNegated;
  // A checkbox without a value is not checked.
  const cardValue = kind === "flag" ? value === true : value;
  if (kind !== "moment") return fulfils(cardValue, test) !== isNegated;
  const isDay = "days" in test && (isAllDay || isWholeDay(value));
  return fulfils(timeOf(value), isDay ? { bounds: test.days ?? {} } : test) !== isNegated;
}

function foldedNames(value: Value): Value {
  if (typeof value === "string") return fold(value);
  return typeof value === "object" ? (value?.map((name) => fold(String(name))) ?? null) : value;
}

const timeOf = (value: Value) => (typeof value === "string" ? Date.parse(value) : null);

function fulfils(value: Value, test: FilterTest): boolean {
  if ("anyOf" in test) {
    const has = (option: string | number | boolean) => test.anyOf.includes(option);
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
  Array.isArray(value) ? value.flatMap((entry) => idOf(entry) ?? []) : [];
const namesOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap((entry) => (isRecord(entry) ? String(entry["name"]) : []))
    : [];
const idOf = (value: unknown) =>
  isRecord(value) && typeof value["publicId"] === "string" ? value["publicId"] : null;

/** The id of the member who has a claim that has not ended. */
const claimer = (claim: unknown, now: number) =>
  isRecord(claim) && Date.parse(String(claim["expiresAt"])) > now ? idOf(claim["member"]) : null;

/** What lists of cards show of the relations of a card. */
function relationValue(card: FilteredCard, name: string, now: number): Value | undefined {
  const { openBlockers, children, relatedCards } = card;
  const isBlocked = Number(openBlockers ?? 0) > 0;
  const related = isRecord(relatedCards) ? relatedCards : {};
  const total = isRecord(children) ? Number(children["total"]) : 0;
  if (name === "openBlockers") return Number(openBlockers ?? 0);
  if (name === "isBlocked") return isBlocked;
  if (name === "children") return total;
  if (name === "hasChildren") return total > 0;
  if (name === "parent") return typeof related["parent"] === "string" ? related["parent"] : null;
  if (name === "blocks")
    return Array.isArray(related["blocks"]) ? related["blocks"].map(String) : [];
  if (name !== "isReady") return undefined;
  const isOpen = card["isComplete"] !== true && card["isArchived"] !== true;
  return isOpen && !isBlocked && claimer(card["claim"], now) === null;
}

/** The value of a field of a card. */
export function valueOf(card: FilteredCard, name: string, now: number): Value {
  const ofRelations = relationValue(card, name, now);
  if (ofRelations !== undefined) return ofRelations;
  if (name === "text") return `${String(card["cardNumber"])}\n${String(card["title"])}`;
  if (name === "claim") return claimer(card["claim"], now);
  if (name === "labels" || name === "members") return idsOf(card[name]);
  if (name === "labelNames") return namesOf(card["labels"]);
  if (name === "description" && card[name] === undefined) return card["hasDescription"] ? " " : "";
  const [fieldName = "", ...rest] = name.split(".");
  const value = rest.reduce<unknown>(
    (inner, step) => (isRecord(inner) && Object.hasOwn(inner, step) ? inner[step] : null),
    Object.hasOwn(card, fieldName) ? card[fieldName] : null,
  );
  if (Array.isArray(value)) return value;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : null;
}
