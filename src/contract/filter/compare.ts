import { valueOf, type FilteredCard } from "./evaluate.ts";
import { builtIn, type FieldsByName } from "./fields.ts";
import type { KeyName, SortKey } from "./sort.ts";

/** A key of an order; without a direction it has that of its field. */
export type KeyInput = { field: string; order?: SortKey["order"] | undefined };

/** The numbers of other cards, of which most come first. */
const counts = new Set<string>(["openBlockers", "children"] satisfies KeyName[]);

const isDescendingUsually = (field: string): boolean =>
  counts.has(field) || builtIn(field)?.order === "desc";

/** How much of a text decides its order, as in the index of the service. */
const maxText = 200;

/** What a card is sorted by; null comes last in either direction. */
type Rank = number | string[] | null;

function rankOf(
  card: FilteredCard,
  nth: number,
  { field: name }: KeyInput,
  fields: FieldsByName,
): Rank {
  if (name === "position") return nth;
  const field = fields(name);
  const value = valueOf(card, name, 0);
  if (field?.kind === "choice") return field.options?.indexOf(String(value)) ?? null;
  if (typeof value !== "string") return typeof value === "number" ? value : null;
  return field?.kind === "moment" ? Date.parse(value) : Array.from(value).slice(0, maxText);
}

/** Compares texts by their code points. */
function compareTexts(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((character, nth) => character !== other[nth]);
  if (at < 0) return one.length - other.length;
  const next = other[at];
  return next === undefined ? 1 : (one[at]?.codePointAt(0) ?? 0) - (next.codePointAt(0) ?? 0);
}

function compareRanks(one: Rank, other: Rank, isDescending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const order =
    typeof one === "number" || typeof other === "number"
      ? Number(one) - Number(other)
      : compareTexts(one, other);
  return isDescending ? -order : order;
}

/** The number in `HOME-12`. */
const numberOf = (card: FilteredCard) => Number(String(card["cardNumber"]).split("-").at(-1));

/**
 * Sorts the cards of a board, which are in its order, as the service does.
 *
 * Equal cards follow their numbers, in the direction of the last key.
 */
export function sortCards<Card extends FilteredCard>(
  cards: readonly Card[],
  keys: readonly KeyInput[],
  fields: FieldsByName = builtIn,
): Card[] {
  const directions = keys.map(({ field, order }) =>
    order === undefined ? isDescendingUsually(field) : order === "desc",
  );
  const ranked = cards.map((card, nth) => ({
    card,
    ranks: [...keys.map((key) => rankOf(card, nth, key, fields)), numberOf(card)],
  }));
  const isDescending = [...directions, directions.at(-1) === true];
  const compared = ranked.toSorted((one, other) => {
    for (const [nth, rank] of one.ranks.entries()) {
      const order = compareRanks(rank, other.ranks[nth] ?? null, isDescending[nth] === true);
      if (order !== 0) return order;
    }
    return 0;
  });
  return compared.map(({ card }) => card);
}
