import type { Issue } from "../job/report.ts";
import type { Handle, Staging } from "../../../platform/storage/staging.ts";
import { nameOf } from "../read/text.ts";
import { TrelloChecklist, TrelloComment, TrelloItem } from "./shapes.ts";

/** What was read of a board and refers to cards. */
export type Parts = {
  staging: Staging;
  cards: ReadonlyMap<string, unknown>;
  checklistsOf: ReadonlyMap<string, Handle[]>;
  commentsOf: ReadonlyMap<string, Handle[]>;
};

const readSize = 100;
const reason = "Its card is not in the source.";

/** Reports the checklists and comments whose card is not in the source. */
export async function reportOrphans(parts: Parts, skip: (issue: Issue) => void): Promise<void> {
  const { staging, cards, checklistsOf, commentsOf } = parts;
  async function* orphansIn(map: ReadonlyMap<string, Handle[]>) {
    for (const [card, handles] of map) {
      for (let at = 0; at < handles.length && !cards.has(card); at += readSize)
        yield* await staging.read(handles.slice(at, at + readSize));
    }
  }
  for await (const orphan of orphansIn(checklistsOf)) {
    const { id: sourceId, name, checkItems } = TrelloChecklist.parse(orphan);
    skip({ kind: "checklist", sourceId, name: nameOf(name), reason });
    for (const item of checkItems.map((one) => TrelloItem.parse(one))) {
      const named = { sourceId: item.id, name: nameOf(item.name) };
      const itemReason = "The card of its checklist is not in the source.";
      skip({ kind: "checklistItem", ...named, reason: itemReason });
    }
  }
  for await (const orphan of orphansIn(commentsOf)) {
    const { id: sourceId, data } = TrelloComment.parse(orphan);
    skip({ kind: "comment", sourceId, name: nameOf(data.text)?.slice(0, 80), reason });
  }
}

/** Appends a value to the list of a key. */
export function append<Value>(map: Map<string, Value[]>, key: string, value: Value) {
  const existing = map.get(key);
  if (existing === undefined) map.set(key, [value]);
  else existing.push(value);
}
