import { z } from "zod";
import type { ReportIssue } from "../job/report.ts";
import { descriptionOf, membersOf, titleOf, type SkipOnCard } from "../write/limits.ts";
import { momentOf, textOf } from "../../../platform/foreign-text.ts";
import type { SourceCard, SourcePerson } from "../write/model.ts";
import type { BoardReader } from "./board-reader.ts";
import { skipFeatures } from "./card-issues.ts";
import { createdAt } from "./map-board.ts";
import {
  mapAttachments,
  mapChecklists,
  mapComments,
  personOf,
  type MapPartsContext,
} from "./map-parts.ts";
import {
  TrelloId,
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

const notMapped = "The member is not mapped to one here: the card's description names them.";

/** Converts a card from Trello; what is not imported of it is in its issues. */
export function mapTrelloCard({ card, ...raw }: RawCard, context: MapPartsContext): SourceCard {
  const issues: ReportIssue[] = [...(context.reader.issuesOf.get(card.id) ?? [])];
  const { title, rest, skip, partly } = titleOf(card, "Untitled card", issues);
  const { people, members, unknown } = membersOf(peopleOf(card, context), context.mapped);
  for (const person of unknown) skip("cardMember", notMapped, person);
  const longTitles: string[] = [];
  const parts = {
    checklists: mapChecklists(raw.checklists, context, issues, longTitles),
    comments: mapComments(raw.comments, context, issues),
    attachments: mapAttachments(card, issues),
  };
  const text = textOf(card.desc) ?? "";
  if (text === "" && (card.desc ?? "") !== "") partly("Its description is not text.");
  const names = unknown.map((one) => one.name).join(", ");
  const atTrello = names === "" ? [] : [`Members at Trello: ${names}`];
  const description = descriptionOf([text, ...rest, ...atTrello, ...longTitles], partly);
  skipFeatures(card, context.reader, skip);
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
    labelIds: labelsOf(card, context.reader, skip),
    members,
    people,
    ...parts,
    issues,
  };
}

const isComplete = ({ dueComplete, badges }: TrelloCard) =>
  dueComplete === true || ((dueComplete ?? null) === null && badges.dueComplete);

const labelsOf = (
  { idLabels, labels }: TrelloCard,
  reader: BoardReader,
  skip: SkipOnCard,
): string[] =>
  idsOf(idLabels, labels).filter((id) => {
    if (reader.labels.has(id)) return true;
    skip("cardLabel", "Its label is not in the source.", { sourceId: id });
    return false;
  });

const Id = TrelloId.or(z.object({ id: TrelloId }).transform(({ id }) => id));

/** The ids in lists, plain or in objects, each once. */
const idsOf = (...lists: unknown[][]) => [
  ...new Set(lists.flat().flatMap((one) => Id.safeParse(one).data ?? [])),
];

/** The people on a card. */
const peopleOf = ({ idMembers }: TrelloCard, { reader }: MapPartsContext): SourcePerson[] =>
  idsOf(idMembers).map((sourceId) => personOf(sourceId, reader));
