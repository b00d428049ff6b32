import type { Items } from "../../exports/format.ts";
import { notHere } from "./boards.ts";
import type { Making } from "./target.ts";
import { loseHistory } from "./history.ts";
import { isBadLink } from "./parts.ts";

type Card = Items["cards"];

/** Counts a card and what hangs on it, and names what does not come over whole, whether this run makes it or an earlier one has: all `comes` over with the card, or nothing. */
export function tell(
  making: Making,
  card: Card,
  comes: boolean,
  members: Map<string, bigint>,
): void {
  const { made } = making;
  const { publicId: sourceId, title: name, checklists, comments, attachments, activity } = card;
  const outcome = comes ? "created" : "leftOut";
  const items = checklists.reduce((sum, { items: its }) => sum + its.length, 0);
  made.add("checklist", outcome, checklists.length);
  made.add("checklistItem", outcome, items);
  made.add("comment", outcome, comments.length);
  made.add("activity", outcome, activity.length);
  if (!comes) {
    made.add("attachment", outcome, attachments.length);
    return made.lose({ kind: "card", sourceId, name, reason: "Its list has been deleted since." });
  }
  made.add("card", outcome);
  tellAttachments(making, card);
  loseMembers(making, card, members);
  loseHistory(making, card);
}

function tellAttachments({ made, files }: Making, { attachments }: Card) {
  for (const attachment of attachments) {
    const { publicId: sourceId, kind, filename: name, file } = attachment;
    if (isBadLink(attachment)) {
      made.lose({ kind: "attachment", sourceId, name, reason: "Its address is not of the web." });
      continue;
    }
    made.add("attachment", "created");
    if (kind === "file" && !files.has(file ?? "")) {
      const reason = "Its bytes were not in what was imported: only its name is here.";
      made.lose({ kind: "attachment", sourceId, name, partly: true, reason });
    }
  }
}

function loseMembers({ made, ids }: Making, card: Card, members: Map<string, bigint>) {
  const isHere = (old: string) => members.has(ids(old));
  for (const sourceId of card.memberPublicIds)
    if (!isHere(sourceId))
      made.lose({ kind: "cardMember", sourceId, name: card.title, reason: notHere });
  for (const { publicId: sourceId, title: name, memberPublicId } of card.checklists.flatMap(
    ({ items }) => items,
  ))
    if (memberPublicId !== null && !isHere(memberPublicId))
      made.lose({ kind: "checklistItem", sourceId, name, partly: true, reason: notHere });
}
