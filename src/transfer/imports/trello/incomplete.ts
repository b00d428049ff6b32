import { nameOf } from "../../../platform/foreign-text.ts";
import type { Skip } from "../write/limits.ts";
import { append, type BoardReader } from "./board-reader.ts";
import { TrelloChecklist, TrelloComment, TrelloItem } from "../../integrations/trello/shapes.ts";
import type { Staged } from "../../../platform/storage/staging.ts";

/** The most actions in an export from Trello. */
const maxActions = 1_000;
const notInSource = "Its card names it, and it is not in the source.";
const reason = "Its card is not in the source.";

/** Reports what has no parent, and what Trello has left out of an export. */
export async function reportIncomplete(
  reader: BoardReader,
  isExport: boolean,
  flush: () => Promise<void>,
): Promise<void> {
  await reportOrphans(reader, isExport ? (issue) => reader.skipInvalid(issue) : reader.skip, flush);
  for (const [id, issues] of reader.issuesOf) {
    if (!reader.cards.has(id)) for (const issue of issues) reader.skip(issue);
  }
  reportMissing(reader, isExport);
  if (isExport) reportCut(reader);
}

/** Reports what cards name or count, and the source does not have. */
function reportMissing(reader: BoardReader, isExport: boolean) {
  for (const { id, checklistIds, attachments, attachmentCount } of reader.cards.values()) {
    for (const sourceId of checklistIds.filter(
      (checklistId) => !reader.hasRead("checklist", checklistId),
    ))
      append(reader.issuesOf, id, { kind: "checklist", sourceId, reason: notInSource });
    // An import from the API may leave attachments out on request.
    const count = isExport ? attachmentCount - attachments : 0;
    if (count > 0)
      append(reader.issuesOf, id, { kind: "attachment", sourceId: id, count, reason: notInSource });
  }
}

function reportCut({ cards, commentsOf, issuesOf, actions, skip }: BoardReader) {
  const cut = `An export from Trello contains the latest ${maxActions} actions of a board only`;
  const hint = "An import from Trello's API has all comments.";
  for (const { id: sourceId, comments } of cards.values()) {
    const count = comments - (commentsOf.get(sourceId)?.length ?? 0);
    const missing = `${cut}: older comments are missing. ${hint}`;
    if (count > 0)
      append(issuesOf, sourceId, { kind: "comment", sourceId, count, reason: missing });
  }
  const maybe = `The export was cut at ${maxActions} actions: comments may be missing. ${hint}`;
  if (actions >= maxActions) skip({ kind: "export", reason: maybe, severity: "partial" });
}

/** Reports what stays at Trello and is no loss: one issue of each kind, after all others. */
export function reportHarmless({ cards, history, skip }: BoardReader): void {
  const links = [...cards.values()].filter(({ hasLink }) => hasLink).length;
  const counts: [kind: string, reason: string, count: number][] = [
    ["action", "The history stays at Trello; comments are imported.", history],
    ["shortLink", "The short links of cards still lead to Trello.", links],
  ];
  for (const [kind, text, count] of counts)
    if (count > 0) skip({ kind, count, reason: text, severity: "info" });
}

/** Reports the checklists and comments whose card is not in the source. */
async function reportOrphans(reader: BoardReader, skip: Skip, flush: () => Promise<void>) {
  const { staging, cards, checklistsOf, commentsOf } = reader;
  async function* orphansIn(map: ReadonlyMap<string, Staged[]>) {
    for (const [card, parts] of map) {
      if (cards.has(card)) continue;
      for (const part of parts) {
        yield* await staging.read([part]);
        await flush();
      }
    }
  }
  for await (const orphan of orphansIn(checklistsOf)) {
    const { id: sourceId, name, checkItems } = TrelloChecklist.parse(orphan);
    skip({ kind: "checklist", sourceId, name: nameOf(name), reason });
    for (const item of checkItems.map((value) => TrelloItem.parse(value))) {
      const ref = { sourceId: item.id, name: nameOf(item.name) };
      const itemReason = "The card of its checklist is not in the source.";
      skip({ kind: "checklistItem", ...ref, reason: itemReason });
    }
  }
  for await (const orphan of orphansIn(commentsOf)) {
    const { id: sourceId, data } = TrelloComment.parse(orphan);
    skip({ kind: "comment", sourceId, name: nameOf(data.text)?.slice(0, 80), reason });
  }
}
