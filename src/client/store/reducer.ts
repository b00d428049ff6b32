import type { BoardEvent } from "../router.ts";
import { boardOf, patches, type Data, type Patched } from "./patches.ts";
import type { BoardView } from "./types.ts";

/** The events of each patch. The events that are not here change no board. */
const eventsOf: Record<keyof typeof patches, string> = {
  "replace the card": `card.updated card.completed card.member_added card.member_removed
    card.label_added card.label_removed comment.created comment.updated comment.deleted
    attachment.created attachment.deleted checklist.created checklist.updated checklist.deleted
    checklist_item.created checklist_item.updated checklist_item.completed
    checklist_item.uncompleted checklist_item.deleted`,
  "insert the card": "card.created card.restored card.unarchived card.moved",
  "remove the card": "card.archived card.deleted",
  "replace the list": "list.updated",
  "insert the list": "list.created list.moved list.restored list.unarchived",
  "remove the list": "list.archived list.deleted",
  "sort the cards": "list.sorted",
  "set the label": "label.created label.updated",
  "remove the label": "label.deleted",
  "set the member": "member.updated",
  "remove the member": "member.removed",
  "replace the prefix": "workspace.updated",
  "replace the board": "board.updated board.archived board.unarchived",
  "read the board": "board.created board.restored board.moved access.gained",
  "read all boards": "import.people_mapped",
  "remove the board": "access.lost board.deleted",
};

const names = new Map(
  Object.entries(eventsOf).flatMap(([patch, types]) =>
    types.split(/\s+/).map((type) => [type, patch as keyof typeof patches]),
  ),
);

/** The patch of a type of event, by its name in the documentation. */
export const patchOf = (type: string): keyof typeof patches | "nothing" =>
  names.get(type) ?? "nothing";

/** A board after an event. The same object when the event changes nothing of it. */
export function applyEvent(board: BoardView, event: BoardEvent): Patched {
  const patch = patchOf(event.type);
  return patch === "nothing" ? board : patches[patch](board, event.data as Data, event);
}

/** The board that an event may have made visible. */
export const boardToRead = (event: BoardEvent): string | undefined =>
  patchOf(event.type) === "read the board" ? boardOf(event) : undefined;
