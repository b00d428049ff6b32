import { cardPriorities } from "../../../src/contract/vocabulary/priorities.ts";
import fc from "../../support/fast-check.ts";

type Card = Record<string, any>;
type SortKey = { field: string; order: "asc" | "desc" };

/** Up to three keys of an order, each of another field. */
export const sortOf = (fields: readonly string[]): fc.Arbitrary<SortKey[]> =>
  fc.uniqueArray(
    fc
      .record({
        field: fc.constantFrom(...fields),
        order: fc.constantFrom("asc" as const, "desc" as const),
      })
      .filter(({ field, order }) => field !== "position" || order === "asc"),
    { minLength: 1, maxLength: 3, selector: ({ field }) => field },
  );

const numberOf = ({ cardNumber }: Card) => Number(String(cardNumber).split("-").at(-1));

function valueOf(card: Card, field: string, positions: readonly string[]) {
  if (field === "position") return positions.indexOf(card["publicId"]);
  if (field === "children") return Number(card[field].total);
  if (field === "priority") return cardPriorities.findIndex((one) => one === card[field]);
  const [first = "", id] = field.split(".");
  return (id === undefined ? card[first] : card[first]?.[id]) ?? null;
}

/**
 * Cards in an order, those without a value last; equal ones as they were created, in the direction
 * of the last key. `byPosition` are the ids of all cards, list by list.
 */
export function sorted<Of extends Card>(
  cards: readonly Of[],
  sortBy: readonly SortKey[],
  byPosition: readonly string[],
): Of[] {
  const compared = (one: Card, next: Card): number => {
    for (const { field, order } of sortBy) {
      const [a, b] = [valueOf(one, field, byPosition), valueOf(next, field, byPosition)];
      if (a === b) continue;
      if (a === null || b === null) return a === null ? 1 : -1;
      return a < b === (order === "asc") ? -1 : 1;
    }
    const isDescending = sortBy.at(-1)?.order === "desc";
    return (numberOf(one) - numberOf(next)) * (isDescending ? -1 : 1);
  };
  return cards.toSorted(compared);
}
