import { momentOf, nameOf, plannedDateOf } from "../../../platform/foreign-text.ts";
import type { HostCard } from "../write/host-card.ts";
import type { SkipOnCard } from "../write/limits.ts";
import type { BoardReader } from "./board-reader.ts";
import {
  TrelloItem,
  TrelloItemState,
  type TrelloCard,
  type TrelloChecklist,
} from "../../integrations/trello/shapes.ts";

const inOrder = <Row extends { pos: number }>(rows: Row[]): Row[] =>
  rows.toSorted((one, other) => one.pos - other.pos);

/** Checklists with their items, in their order. */
export const withItems = (checklists: TrelloChecklist[]) =>
  inOrder(checklists).map(({ id, name, checkItems }) => {
    return { id, name, items: inOrder(checkItems.map((item) => TrelloItem.parse(item))) };
  });

type Checklists = ReturnType<typeof withItems>;

/** The checklists of a card. Old exports have the states of items on their card. */
export function checklistsOf(
  checklists: Checklists,
  { checkItemStates }: TrelloCard,
  reader: BoardReader,
): HostCard["checklists"] {
  const states = new Map(
    checkItemStates.flatMap((value) => {
      const { data } = TrelloItemState.safeParse(value);
      return data === undefined ? [] : [[data.idCheckItem, data.state] as const];
    }),
  );
  return checklists.map(({ items, ...checklist }) => ({
    ...checklist,
    items: items.map(({ id: itemId, name, state, dateCompleted, due, idMember }) => {
      const id = itemId ?? "";
      return {
        id,
        name,
        isComplete: (state ?? states.get(id)) === "complete",
        completedAt: momentOf(dateCompleted) ?? reader.times.of("checkItem", id) ?? null,
        dueDate: plannedDateOf(due),
        assignee: idMember === null ? null : reader.personOf(idMember),
      };
    }),
  }));
}

/** Reports what is not imported of items. */
export function skipOnItems(checklists: Checklists, skip: SkipOnCard): void {
  for (const item of checklists.flatMap(({ items }) => items)) {
    const of = { sourceId: item.id ?? "", name: nameOf(item.name) };
    if (momentOf(item.due) === null && (item.due ?? null) !== null)
      skip("checklistItem", "Its due date is invalid.", { ...of, severity: "partial" });
    if (Number(item.dueReminder ?? -1) >= 0) skip("reminder", "Reminders are not supported.", of);
  }
}
