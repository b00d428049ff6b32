import type { KanActivity, KanBoard, KanMember, WholeCard } from "../../integrations/kan/shapes.ts";
import { momentOf, nameOf, withoutAddresses } from "../../../platform/foreign-text.ts";
import { membersAt, sourceCard } from "../write/host-card.ts";
import { limitedName, type Skip } from "../write/limits.ts";
import {
  timesOf,
  type Members,
  type SourceBoard,
  type SourceCard,
  type SourcePerson,
} from "../write/source.ts";
import { noTime } from "../write/no-time.ts";
import { sourceList, unknownMember } from "../write/source-parts.ts";

/** Converts a board. One that is public at Kan is private here. */
export function mapKanBoard(board: KanBoard, isTemplate: boolean, skip: Skip): SourceBoard {
  const { publicId, slug } = board;
  const named = { id: publicId, name: board.name };
  const name = limitedName("board", named, 255, "Untitled board", skip);
  const partly = (reason: string) =>
    skip({ kind: "board", sourceId: publicId, name, severity: "partial", reason });
  if (board.isArchived) partly(noTime("archived"));
  if (board.visibility === "public")
    partly("It was public at Kan. Here only members of the workspace see it.");
  return {
    publicId,
    name,
    description: null,
    type: isTemplate ? "template" : "regular",
    archivedAt: board.isArchived ? "now" : null,
    ...(slug === undefined ? {} : { slug }),
    ...timesOf(),
    lists: inOrder(board.lists).map((list) => sourceList({ id: list.publicId, ...list }, skip)),
    labels: board.labels.map(({ publicId: id, name: label, colourCode }) => ({
      publicId: id,
      name: limitedName("label", { id, name: label }, 36, "No name", skip),
      colourCode: /^#[0-9a-f]{6}$/i.test(colourCode ?? "") ? colourCode : null,
    })),
  };
}

/** What a card is converted with. */
export type MapCardContext = {
  /** The ids of the members of the workspace at Kan, by the ids of their users. */
  memberOf: ReadonlyMap<string | null | undefined, string>;
  members: Members;
};

const personOf = ({ publicId: sourceId, user, email }: KanMember): SourcePerson => {
  const name = nameOf(user?.name) ?? nameOf(email) ?? nameOf(user?.email);
  return { sourceId, name: withoutAddresses(name ?? "") || unknownMember };
};

/** Converts a card from Kan; what is not imported of it is in its issues. */
export const mapKanCard = (
  { card, listId, detail: { activities, attachments } }: WholeCard,
  { memberOf, members }: MapCardContext,
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
      updatedAt: momentOf(card.updatedAt) ?? lastOf(activities),
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
      attachments: attachments.map(({ publicId: id, originalFilename, filename, url }) => {
        const fileName = nameOf(originalFilename) ?? nameOf(filename);
        return { id, name: fileName, url, createdAt: null, isUpload: true, fileName };
      }),
    },
    membersAt("Kan"),
    { members },
  );

/** When the last of some activities happened. */
const lastOf = (activities: KanActivity[]): string | null =>
  activities.reduce<string | null>((last, { createdAt }) => {
    const moment = momentOf(createdAt);
    return moment !== null && (last === null || moment > last) ? moment : last;
  }, null);

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
  return [...commentActivities].map(([id, { comment, user, createdAt }]) => {
    const name = nameOf(user?.name) ?? nameOf(user?.email);
    const writer = comment?.createdBy ?? null;
    return {
      id,
      text: comment?.comment,
      createdAt: momentOf(createdAt),
      editedAt: momentOf(comment?.updatedAt),
      authorId: memberOf.get(writer) ?? writer,
      authorName: name === null ? null : withoutAddresses(name),
    };
  });
}
