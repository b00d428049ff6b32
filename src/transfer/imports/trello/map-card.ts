import type { Issue } from "../job/report.ts";
import { momentOf, nameOf, shortened, textOf } from "../read/text.ts";
import type { SourceCard } from "../write/model.ts";
import type { BoardReader } from "./board-reader.ts";
import { cardIssues } from "./card-issues.ts";
import { createdAt } from "./map-board.ts";
import { mapAttachments, mapChecklists, mapComments } from "./map-parts.ts";
import { idsOf, membersOf, type MapContext } from "./members.ts";
import type { Card, Checklist, Comment } from "./shapes.ts";

/** A card with its parts, as they were read. */
export type RawCard = { card: Card; checklists: Checklist[]; comments: Comment[] };

const maxDescription = 100_000;

/** Converts a card from Trello; what is not imported of it is in its issues. */
export function mapCard({ card, ...raw }: RawCard, context: MapContext): SourceCard {
  const issues: Issue[] = [];
  const fullTitle = nameOf(card.name);
  const title = shortened(fullTitle ?? "Untitled card", 2_000).trim();
  const name = title.slice(0, 255);
  const partly = (reason: string) =>
    issues.push({ kind: "card", sourceId: card.id, name, reason, partly: true });
  const { people, members, unknown } = membersOf(card, context);
  for (const { sourceId, name: member } of unknown) {
    const reason = `The member is not mapped to one here: the description of “${name}” names them.`;
    issues.push({ kind: "cardMember", sourceId, name: member, reason });
  }
  const parts = {
    checklists: mapChecklists(raw.checklists, context, issues),
    comments: mapComments(raw.comments, context, issues),
    attachments: mapAttachments(card, issues),
  };
  if (fullTitle === null) partly("It had no name.");
  const isCut = fullTitle !== null && title !== fullTitle;
  if (isCut) partly("The title was cut to 2,000 characters: the description has all of it.");
  const names = unknown.map((one) => one.name).join(", ");
  const description = descriptionOf(
    card,
    [
      ...(isCut ? [`The whole title: ${fullTitle}`] : []),
      ...(names === "" ? [] : [`Members at Trello: ${names}`]),
      ...parts.checklists.cut.map((cut) => `${cut.name}: ${cut.title}`),
    ],
    partly,
  );
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

function descriptionOf(
  { desc }: Card,
  added: string[],
  partly: (reason: string) => void,
): string | null {
  const text = textOf(desc) ?? "";
  if (text === "" && (desc ?? "") !== "") partly("Its description is not text.");
  const description = [text, ...added].filter((one) => one !== "").join("\n\n");
  const result = shortened(description, maxDescription);
  if (result !== description) partly("The description was cut to 100,000 characters.");
  return result || null;
}

function labelsOf(
  { idLabels, labels }: Card,
  title: string,
  reader: BoardReader,
  issues: Issue[],
): string[] {
  return idsOf(idLabels, labels).filter((id) => {
    if (reader.labels.has(id)) return true;
    const reason = `The label of “${title.slice(0, 255)}” is not in the source.`;
    issues.push({ kind: "cardLabel", sourceId: id, reason });
    return false;
  });
}
