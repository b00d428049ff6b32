import type { Issue } from "../job/report.ts";
import { descriptionOf, membersOf, titleOf } from "../write/limits.ts";
import { momentOf, textOf } from "../read/text.ts";
import type { SourceCard } from "../write/model.ts";
import type { BoardReader } from "./board-reader.ts";
import { cardIssues } from "./card-issues.ts";
import { createdAt } from "./map-board.ts";
import { mapAttachments, mapChecklists, mapComments } from "./map-parts.ts";
import { idsOf, peopleOf, type MapContext } from "./members.ts";
import type { Card, Checklist, Comment } from "./shapes.ts";

/** A card with its parts, as they were read. */
export type RawCard = { card: Card; checklists: Checklist[]; comments: Comment[] };

const notMapped = "The member is not mapped to one here: the card's description names them.";

/** Converts a card from Trello; what is not imported of it is in its issues. */
export function mapCard({ card, ...raw }: RawCard, context: MapContext): SourceCard {
  const issues: Issue[] = [...(context.reader.issuesOf.get(card.id) ?? [])];
  const { title, rest, reason: cut } = titleOf(card.name, "Untitled card");
  const name = title.slice(0, 255);
  const partly = (reason: string) =>
    issues.push({ kind: "card", sourceId: card.id, name, reason, partly: true });
  const { people, members, unknown } = membersOf(peopleOf(card, context), context.mapped);
  for (const { sourceId, name: member } of unknown) {
    issues.push({ kind: "cardMember", sourceId, name: member, reason: notMapped });
  }
  const parts = {
    checklists: mapChecklists(raw.checklists, context, issues),
    comments: mapComments(raw.comments, context, issues),
    attachments: mapAttachments(card, issues),
  };
  if (cut !== null) partly(cut);
  const text = textOf(card.desc) ?? "";
  if (text === "" && (card.desc ?? "") !== "") partly("Its description is not text.");
  const names = unknown.map((one) => one.name).join(", ");
  const items = parts.checklists.cut.map((item) => `${item.name}: ${item.title}`);
  const atTrello = names === "" ? [] : [`Members at Trello: ${names}`];
  const description = descriptionOf([text, ...rest, ...atTrello, ...items], partly);
  issues.push(...cardIssues(card, title, context.reader));
  const dateOf = (field: "due" | "start") => {
    const date = momentOf(card[field]);
    if (date === null && (card[field] ?? null) !== null) partly(`Its ${field} date is invalid.`);
    return date;
  };
  return {
    sourceId: card.id,
    listId: card.idList ?? "",
    title,
    description,
    startDate: dateOf("start"),
    dueDate: dateOf("due"),
    completedAt: isComplete(card) ? (momentOf(card.dateCompleted) ?? "now") : null,
    archivedAt: card.closed ? (momentOf(card.dateClosed) ?? "now") : null,
    createdAt: createdAt(card.id),
    labelIds: labelsOf(card, title, context.reader, issues),
    members,
    people,
    ...parts,
    checklists: parts.checklists.mapped,
    issues,
  };
}

const isComplete = ({ dueComplete, badges }: Card) =>
  dueComplete === true || ((dueComplete ?? null) === null && badges.dueComplete);

function labelsOf(
  { idLabels, labels }: Card,
  title: string,
  reader: BoardReader,
  issues: Issue[],
): string[] {
  return idsOf(idLabels, labels).filter((id) => {
    if (reader.labels.has(id)) return true;
    const reason = "Its label is not in the source.";
    issues.push({ kind: "cardLabel", sourceId: id, name: title.slice(0, 255), reason });
    return false;
  });
}
