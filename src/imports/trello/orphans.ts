import { nameOf } from "../clean.ts";
import type { Handle, Staging } from "../staging.ts";
import type { Loss } from "../tally.ts";
import { TrelloChecklist, TrelloComment, TrelloItem } from "./shapes.ts";

/** What has been read of a board, as far as it may belong to nothing. */
export type Parts = {
  staging: Staging;
  cards: ReadonlyMap<string, unknown>;
  checklistsOf: ReadonlyMap<string, Handle[]>;
  commentsOf: ReadonlyMap<string, Handle[]>;
};

/** Names the checklists and comments whose card is not in the source. */
export async function loseOrphans(parts: Parts, lose: (loss: Loss) => void): Promise<void> {
  const { staging, cards, checklistsOf, commentsOf } = parts;
  const of = (map: ReadonlyMap<string, Handle[]>) =>
    staging.read([...map].flatMap(([card, handles]) => (cards.has(card) ? [] : handles)));
  for (const one of await of(checklistsOf)) {
    const { id: sourceId, name, checkItems } = TrelloChecklist.parse(one);
    const reason = "Its card is not in the source.";
    lose({ kind: "checklist", sourceId, name: nameOf(name) ?? undefined, reason });
    for (const item of checkItems) {
      const { id, name: title } = TrelloItem.parse(item);
      lose({
        kind: "checklistItem",
        sourceId: id ?? undefined,
        name: nameOf(title) ?? undefined,
        reason: "The card of its checklist is not in the source.",
      });
    }
  }
  for (const one of await of(commentsOf)) {
    const { id: sourceId, data } = TrelloComment.parse(one);
    const name = nameOf(data.text)?.slice(0, 80);
    lose({ kind: "comment", sourceId, name, reason: "Its card is not in the source." });
  }
}
