import { dueTrees } from "../../contract/filter/due.ts";
import { filterTest } from "../../contract/filter/evaluate.ts";
import type { FilterTree } from "../../contract/filter/tree.ts";
import type { Inputs } from "../router.ts";
import type { BoardView, CardView, FilterOptions } from "../store/index.ts";

/** Which cards to show: those that a function selects, or that have all given properties. */
export type CardFilter =
  | ((card: CardView) => boolean)
  | (Pick<FilterOptions, "timeZone" | "weekStartDay"> & {
      /** Part of the title or of the card number. */
      text?: string;
      /** At least one of these labels. */
      labels?: readonly string[];
      /** At least one of these members. */
      members?: readonly string[];
      /** Whether they are complete. */
      isComplete?: boolean;
      /**
       * Due in this period, as the filter `due` of `board.cards`: give it the `timeZone` of the
       * user or else of the workspace, and the `weekStartDay` of the workspace. By default days
       * are those of UTC, and weeks begin on Monday.
       */
      due?: NonNullable<Inputs["board"]["queryCards"]["due"]>;
    });

/** The conditions of a filter as the service has them. */
function treesOf({
  text = "",
  labels = [],
  members = [],
  isComplete,
  due,
}: Exclude<CardFilter, (card: CardView) => boolean>): FilterTree[] {
  return [
    ...(text === "" ? [] : [{ field: "text", op: "contains", value: text } as const]),
    ...(labels.length === 0 ? [] : [{ field: "labels", op: "isAnyOf", value: labels } as const]),
    ...(members.length === 0 ? [] : [{ field: "members", op: "isAnyOf", value: members } as const]),
    ...(isComplete === undefined
      ? []
      : [{ field: "isComplete", op: "is", value: isComplete } as const]),
    ...(due === undefined ? [] : [dueTrees[due]]),
  ];
}

function testOf(filter: CardFilter, now: number): (card: CardView) => boolean {
  if (typeof filter === "function") return filter;
  const { timeZone = "UTC", weekStartDay = 1 } = filter;
  return filterTest({ and: treesOf(filter) }, { me: null, timeZone, weekStartDay, now });
}

/** A board with the cards that pass. Lists whose cards all pass stay the same objects. */
export function filterBoard(
  board: BoardView,
  filter: CardFilter,
  now: number = Date.now(),
): BoardView {
  const passes = testOf(filter, now);
  const lists = board.lists.map((list) => {
    const cards = list.cards.filter(passes);
    return cards.length === list.cards.length ? list : { ...list, cards };
  });
  return { ...board, lists };
}
