/** A card as the model knows it. */
export type ModelCard = { id: string; archived: boolean };

/** A list with all its live cards, the archived ones among them, in order. */
export type ModelList = { id: string; cards: ModelCard[] };

/** Where something goes; cards are named by their ids. */
export type ModelPlacement = "end" | { index: number } | { before: string } | { after: string };

/** Takes a card out of whichever list it is in. */
export function without(lists: ModelList[], id: string): void {
  for (const list of lists) list.cards = list.cards.filter((card) => card.id !== id);
}

/** Puts a card into a list; false when the neighbour is not there, and then nothing has changed. */
export function put(
  lists: ModelList[],
  to: ModelList,
  card: ModelCard,
  placement: ModelPlacement,
): boolean {
  const others = to.cards.filter(({ id }) => id !== card.id);
  const here = to.cards.indexOf(card);
  if (
    typeof placement === "object" &&
    "index" in placement &&
    here >= 0 &&
    fits(to.cards, here, placement.index)
  ) {
    return true;
  }
  const at = spot(others, placement);
  if (at < 0) return false;
  without(lists, card.id);
  to.cards = others.toSpliced(at, 0, card);
  return true;
}

/** Whether a card is already at a visible index: then it does not move among archived cards. */
function fits(cards: ModelCard[], here: number, index: number): boolean {
  const visible = (some: ModelCard[]) => some.filter(({ archived }) => !archived).length;
  const before = visible(cards.slice(0, here));
  const others = before + visible(cards.slice(here + 1));
  return before === Math.min(index, others);
}

function spot(others: ModelCard[], placement: ModelPlacement): number {
  if (placement === "end") return others.length;
  if ("before" in placement) return others.findIndex(({ id }) => id === placement.before);
  if ("after" in placement) {
    const at = others.findIndex(({ id }) => id === placement.after);
    return at < 0 ? -1 : at + 1;
  }
  if (placement.index === 0) return 0;
  const visible = others.filter(({ archived }) => !archived);
  const left = visible[placement.index - 1];
  return left === undefined ? others.length : others.indexOf(left) + 1;
}

/** The ids that a reader sees. */
export const visibleIn = ({ cards }: ModelList): string[] =>
  cards.filter(({ archived }) => !archived).map(({ id }) => id);
