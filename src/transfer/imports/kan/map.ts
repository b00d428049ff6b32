import type { KanActivity, KanBoard, KanMember, WholeCard } from "../../integrations/kan/shapes.ts";
import { momentOf, nameOf, withoutAddresses } from "../../../platform/foreign-text.ts";
import { sourceCard } from "../write/host-card.ts";
import { limitedName, type Skip } from "../write/limits.ts";
import type { MappedMember, SourceBoard, SourceCard, SourcePerson } from "../write/model.ts";
import { noTime } from "../write/no-time.ts";
import { unknownMember } from "../write/source-parts.ts";

/** Converts a board. One that is public at Kan is private here. */
export function mapKanBoard(board: KanBoard, isTemplate: boolean, skip: Skip): SourceBoard {
  const { publicId: sourceId, slug } = board;
  const limited = (
    kind: string,
    id: string,
    fullName: string | null,
    max: number,
    fallback: string,
  ) => limitedName(kind, { id, name: fullName }, max, fallback, skip);
  const name = limited("board", sourceId, board.name, 255, "Untitled board");
  const partly = (reason: string) =>
    skip({ kind: "board", sourceId, name, severity: "partial", reason });
  if (board.isArchived) partly(noTime("archived"));
  if (board.visibility === "public")
    partly("It was public at Kan. Here only members of the workspace see it.");
  return {
    sourceId,
    name,
    description: null,
    type: isTemplate ? "template" : "regular",
    archivedAt: board.isArchived ? "now" : null,
    ...(slug === undefined ? {} : { slug }),
    lists: inOrder(board.lists).map(({ publicId: id, name: list }) => {
      return {
        sourceId: id,
        name: limited("list", id, list, 255, "Untitled list"),
        archivedAt: null,
      };
    }),
    labels: board.labels.map(({ publicId: id, name: label, colourCode }) => ({
      sourceId: id,
      name: limited("label", id, label, 36, "No name"),
      colourCode: /^#[0-9a-f]{6}$/i.test(colourCode ?? "") ? colourCode : null,
    })),
  };
}

/** What a card is converted with. */
export type MapCardContext = {
  /** The ids of the members of the workspace at Kan, by the ids of their users. */
  memberOf: ReadonlyMap<string | null | undefined, string>;
  mapped: ReadonlyMap<string, MappedMember>;
};

const personOf = ({ publicId: sourceId, user, email }: KanMember): SourcePerson => {
  const name = nameOf(user?.name) ?? nameOf(email) ?? nameOf(user?.email);
  return { sourceId, name: withoutAddresses(name ?? "") || unknownMember };
};

/** Converts a card from Kan; what is not imported of it is in its issues. */
export const mapKanCard = (
  { card, listId, detail: { activities, attachments } }: WholeCard,
  { memberOf, mapped }: MapCardContext,
): SourceCard =>
  sourceCard(
    {
      id: card.publicId,
      listId,
      title: card.title,
      description: card.description,
      dueDate: card.dueDate,
      completed: { is: false, since: null },
      archived: { is: false, since: null },
      createdAt: momentOf(activities.find(({ type }) => type === "card.created")?.createdAt),
      labelIds: card.labels.map(({ publicId }) => publicId),
      people: card.members.map(personOf),
      checklists: inOrder(card.checklists).map(({ publicId: id, name, items }) => ({
        id,
        name,
        items: inOrder(items).map(({ publicId, title, completed: isComplete }) => {
          const unknown = { completedAt: null, dueDate: null, assignee: null };
          return { id: publicId, name: title, isComplete, ...unknown };
        }),
      })),
      comments: commentsIn(activities, memberOf),
      attachments: attachments.map(({ publicId: sourceId, originalFilename, filename, url }) => {
        const fileName = nameOf(originalFilename) ?? nameOf(filename);
        return { sourceId, name: fileName, url, createdAt: null, isUpload: true, fileName };
      }),
    },
    "Kan",
    { mapped },
  );

const inOrder = <Row extends { index: number }>(rows: Row[]): Row[] =>
  rows.toSorted((one, other) => one.index - other.index);

/** The comments that the activities of a card name: each once, with the time of the first one. */
function commentsIn(activities: KanActivity[], memberOf: MapCardContext["memberOf"]) {
  const commentActivities = new Map<string, KanActivity>();
  for (const activity of activities) {
    const { comment, type } = activity;
    if (!comment || (comment.deletedAt ?? null) !== null) continue;
    if (type === "card.updated.comment.added" || !commentActivities.has(comment.publicId))
      commentActivities.set(comment.publicId, activity);
  }
  return [...commentActivities].map(([sourceId, { comment, user, createdAt }]) => {
    const updatedAt = momentOf(comment?.updatedAt);
    const name = nameOf(user?.name) ?? nameOf(user?.email);
    const writer = comment?.createdBy ?? null;
    return {
      sourceId,
      text: comment?.comment,
      createdAt: momentOf(createdAt),
      updatedAt,
      isEdited: updatedAt !== null,
      authorId: memberOf.get(writer) ?? writer,
      authorName: name === null ? null : withoutAddresses(name),
    };
  });
}
