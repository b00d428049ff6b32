import { momentOf, nameOf, textOf } from "../../../platform/foreign-text.ts";
import { membersAt, sourceCard } from "../write/host-card.ts";
import type { FieldContext, ValueInput } from "../write/source-custom-fields.ts";
import type { Attachment, Comment } from "../write/source-parts.ts";
import type { Members, SourceCard } from "../write/source.ts";
import type { BoardReader } from "./board-reader.ts";
import { skipFeatures } from "./card-issues.ts";
import { checklistsOf, skipOnItems, withItems } from "./map-checklists.ts";
import { createdAt } from "./map-board.ts";
import {
  idsOf,
  TrelloAttachment,
  TrelloFieldItem,
  TrelloMember,
  type TrelloCard,
  type TrelloChecklist,
  type TrelloComment,
  type TrelloLabel,
} from "../../integrations/trello/shapes.ts";

/** What a card is converted with. */
export type MapCardContext = FieldContext & {
  reader: BoardReader;
  /** The labels of the board, by the ids on its cards. */
  labels: ReadonlyMap<string, TrelloLabel>;
  members: Members;
};

/** A card with its parts, as they were read. */
export type RawCard = {
  card: TrelloCard;
  checklists: TrelloChecklist[];
  comments: TrelloComment[];
};

/** Converts a card from Trello; what is not imported of it is in its issues. */
export function mapTrelloCard(
  { card, checklists, comments }: RawCard,
  context: MapCardContext,
): SourceCard {
  const { reader, labels } = context;
  const timeOf = (value: unknown, action: "card" | "dueComplete") =>
    momentOf(value) ?? reader.times.of(action, card.id) ?? null;
  const labelIds = idsOf(card.idLabels);
  const lists = withItems(checklists);
  const values = card.customFieldItems.map(valueOf);
  return sourceCard(
    {
      id: card.id,
      listId: card.idList ?? "",
      title: card.name,
      description: card.desc,
      startDate: card.start,
      dueDate: card.due,
      completed: { is: isComplete(card), since: timeOf(card.dateCompleted, "dueComplete") },
      archived: { is: card.closed, since: timeOf(card.dateClosed, "card") },
      createdAt: createdAt(card.id),
      updatedAt: momentOf(card.dateLastActivity),
      labelIds: idsOf(labelIds.flatMap((id) => labels.get(id)?.id ?? [])),
      people: idsOf(card.idMembers).map((id) => reader.personOf(id)),
      checklists: checklistsOf(lists, card, reader),
      comments: comments.map((comment) => commentOf(comment, reader)),
      attachments: card.attachments.map((attachment) => attachmentOf(attachment, card)),
      values: values.filter((value) => value !== null),
      relations: reader.attachedCards.relationsOf(card.id),
      issues: reader.issuesOf.get(card.id),
      report(skip) {
        if (textOf(card.desc) === null && (card.desc ?? "") !== "")
          skip("card", "Its description is not text.", { severity: "partial" });
        skipFeatures(card, skip);
        skipOnItems(lists, skip);
        for (const reason of reader.attachedCards.problemsOf(card.id))
          skip("card", reason, { severity: "partial" });
        for (const sourceId of labelIds.filter((id) => !labels.has(id)))
          skip("cardLabel", "Its label is not in the source.", { sourceId });
        for (const _ of values.filter((value) => value === null))
          skip("cardField", "It does not have the format that Trello writes.");
      },
    },
    membersAt("Trello"),
    context,
  );
}

const isComplete = ({ dueComplete, badges }: TrelloCard) =>
  dueComplete === true || ((dueComplete ?? null) === null && badges.dueComplete);

function commentOf(
  { id, data, idMemberCreator, memberCreator, date }: TrelloComment,
  { members }: BoardReader,
): Comment {
  const embedded = TrelloMember.safeParse(memberCreator).data;
  const authorId = embedded?.id ?? idMemberCreator;
  const author = members.get(authorId ?? "") ?? embedded;
  const authorName = nameOf(author?.fullName) ?? nameOf(author?.username);
  const moment = momentOf(date) ?? createdAt(id);
  return { id, text: data.text, createdAt: moment, authorId, authorName };
}

function attachmentOf(attachment: unknown, card: TrelloCard): Attachment {
  const { id: ownId, name, fileName, url, date, isUpload } = TrelloAttachment.parse(attachment);
  const id = ownId ?? card.id;
  const names = { name: nameOf(name), fileName: nameOf(fileName) };
  return { id, ...names, url, createdAt: momentOf(date) ?? createdAt(id), isUpload };
}

/** The value of a custom field, which Trello writes as a text or as the id of an option. */
function valueOf(item: unknown): ValueInput | null {
  const { data } = TrelloFieldItem.safeParse(item);
  if (data === undefined) return null;
  const { id, idCustomField: fieldId, idValue, value } = data;
  const content = idValue ?? Object.values(value ?? {})[0] ?? null;
  return { sourceId: id ?? undefined, fieldId, content };
}
