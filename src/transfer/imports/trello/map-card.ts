import type { ReportIssue } from "../job/report.ts";
import { descriptionOf, membersOf, titleOf, type SkipOnCard } from "../write/limits.ts";
import { noTime } from "../write/no-time.ts";
import { momentOf, textOf } from "../../../platform/foreign-text.ts";
import type { SourceCard, SourcePerson } from "../write/model.ts";
import { memberNotMapped } from "../write/source-parts.ts";
import { skipFeatures } from "./card-issues.ts";
import { createdAt } from "./map-board.ts";
import {
  mapAttachments,
  mapChecklists,
  mapComments,
  mapValues,
  personOf,
  type MapPartsContext,
} from "./map-parts.ts";
import {
  idsOf,
  type TrelloCard,
  type TrelloChecklist,
  type TrelloComment,
} from "../../integrations/trello/shapes.ts";

/** A card with its parts, as they were read. */
export type RawCard = {
  card: TrelloCard;
  checklists: TrelloChecklist[];
  comments: TrelloComment[];
};

/** Converts a card from Trello; what is not imported of it is in its issues. */
export function mapTrelloCard({ card, ...raw }: RawCard, context: MapPartsContext): SourceCard {
  const issues: ReportIssue[] = [...(context.reader.issuesOf.get(card.id) ?? [])];
  const { title, rest, skip, partly } = titleOf(card, "Untitled card", issues);
  const { people, members, unknown } = membersOf(peopleOf(card, context), context.mapped);
  for (const person of unknown) skip("cardMember", memberNotMapped, person);
  const longTitles: string[] = [];
  const parts = {
    checklists: mapChecklists(raw.checklists, card, context, issues, longTitles),
    comments: mapComments(raw.comments, context, issues),
    attachments: mapAttachments(card, issues),
  };
  const text = textOf(card.desc) ?? "";
  if (text === "" && (card.desc ?? "") !== "") partly("Its description is not text.");
  const names = unknown.map((person) => person.name).join(", ");
  const atTrello = names === "" ? [] : [`Members at Trello: ${names}`];
  const description = descriptionOf([text, ...rest, ...atTrello, ...longTitles], partly);
  skipFeatures(card, skip);
  const dateOf = (field: "due" | "start") => {
    const date = momentOf(card[field]);
    if (date === null && (card[field] ?? null) !== null) partly(`Its ${field} date is invalid.`);
    return date;
  };
  const timeOf = (
    what: "archived" | "completed",
    value: unknown,
    action: "card" | "dueComplete",
  ) => {
    const time = momentOf(value) ?? context.reader.times.of(action, card.id);
    if (time === undefined) partly(noTime(what));
    return time ?? "now";
  };
  return {
    sourceId: card.id,
    listId: card.idList ?? "",
    title,
    description,
    startDate: dateOf("start"),
    dueDate: dateOf("due"),
    completedAt: isComplete(card) ? timeOf("completed", card.dateCompleted, "dueComplete") : null,
    archivedAt: card.closed ? timeOf("archived", card.dateClosed, "card") : null,
    createdAt: createdAt(card.id),
    labelIds: labelsOf(card, context.labels, skip),
    members,
    people,
    ...parts,
    fields: mapValues(card, context, skip),
    issues,
  };
}

const isComplete = ({ dueComplete, badges }: TrelloCard) =>
  dueComplete === true || ((dueComplete ?? null) === null && badges.dueComplete);

const labelsOf = (
  { idLabels }: TrelloCard,
  labels: MapPartsContext["labels"],
  skip: SkipOnCard,
): string[] =>
  idsOf(
    idsOf(idLabels).flatMap((id) => {
      const label = labels.get(id);
      if (label !== undefined) return label.id;
      skip("cardLabel", "Its label is not in the source.", { sourceId: id });
      return [];
    }),
  );

/** The people on a card. */
const peopleOf = ({ idMembers }: TrelloCard, { reader }: MapPartsContext): SourcePerson[] =>
  idsOf(idMembers).map((sourceId) => personOf(sourceId, reader));
