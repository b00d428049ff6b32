import { nameOf } from "../clean.ts";
import type { Handle, Staging } from "../staging.ts";
import type { Loss } from "../report.ts";
import { TrelloChecklist, TrelloComment, TrelloItem } from "./shapes.ts";

/** What has been read of a board, as far as it may belong to nothing. */
export type Parts = {
  staging: Staging;
  cards: ReadonlyMap<string, unknown>;
  checklistsOf: ReadonlyMap<string, Handle[]>;
  commentsOf: ReadonlyMap<string, Handle[]>;
};

const atOnce = 100;

/** Names the checklists and comments whose card is not in the source. */
export async function loseOrphans(parts: Parts, lose: (loss: Loss) => void): Promise<void> {
  const { staging, cards, checklistsOf, commentsOf } = parts;
  async function* of(map: ReadonlyMap<string, Handle[]>) {
    for (const [card, handles] of map) {
      for (let at = 0; at < handles.length && !cards.has(card); at += atOnce)
        yield* await staging.read(handles.slice(at, at + atOnce));
    }
  }
  for await (const one of of(checklistsOf)) {
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
  for await (const one of of(commentsOf)) {
    const { id: sourceId, data } = TrelloComment.parse(one);
    const name = nameOf(data.text)?.slice(0, 80);
    lose({ kind: "comment", sourceId, name, reason: "Its card is not in the source." });
  }
}
