import type { KanActivity, KanBoard, KanMember, WholeCard } from "../../integrations/kan/shapes.ts";
import { momentOf, nameOf, textOf, withoutAddresses } from "../../../platform/foreign-text.ts";
import type { ReportIssue } from "../job/report.ts";
import { descriptionOf, limitedName, membersOf, titleOf, type Skip } from "../write/limits.ts";
import type {
  MappedMember,
  SourceBoard,
  SourceCard,
  SourceChecklist,
  SourcePerson,
} from "../write/model.ts";
import { noTime } from "../write/no-time.ts";
import {
  longTitle,
  memberNotMapped,
  sourceAttachment,
  sourceComments,
  sourceItem,
  unknownMember,
} from "../write/source-parts.ts";

/** Converts a board. One that is public at Kan is private here. */
export function mapKanBoard(board: KanBoard, isTemplate: boolean, skip: Skip): SourceBoard {
  const { publicId: sourceId, slug } = board;
  const name = limitedName(
    "board",
    { id: sourceId, name: board.name },
    255,
    "Untitled board",
    skip,
  );
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
    lists: board.lists
      .toSorted((one, other) => one.index - other.index)
      .map((list) => ({
        sourceId: list.publicId,
        name: limitedName(
          "list",
          { id: list.publicId, name: list.name },
          255,
          "Untitled list",
          skip,
        ),
        archivedAt: null,
      })),
    labels: board.labels.map((label) => ({
      sourceId: label.publicId,
      name: limitedName("label", { id: label.publicId, name: label.name }, 36, "No name", skip),
      colourCode: /^#[0-9a-f]{6}$/i.test(label.colourCode ?? "") ? label.colourCode : null,
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
export function mapKanCard(
  { card, listId, detail }: WholeCard,
  context: MapCardContext,
): SourceCard {
  const issues: ReportIssue[] = [];
  const named = { id: card.publicId, name: card.title };
  const { title, rest, skip, partly } = titleOf(named, "Untitled card", issues);
  const { people, members, unknown } = membersOf(card.members.map(personOf), context.mapped);
  for (const person of unknown) skip("cardMember", memberNotMapped, person);
  const longTitles: string[] = [];
  const checklists = mapChecklists(card, issues, longTitles);
  const names = unknown.map(({ name }) => name).join(", ");
  const atKan = names === "" ? [] : [`Members at Kan: ${names}`];
  const dueDate = momentOf(card.dueDate);
  if (dueDate === null && (card.dueDate ?? null) !== null) partly("Its due date is invalid.");
  const { activities } = detail;
  return {
    sourceId: card.publicId,
    listId,
    title,
    description: descriptionOf(
      [textOf(card.description) ?? "", ...rest, ...atKan, ...longTitles],
      partly,
    ),
    startDate: null,
    dueDate,
    completedAt: null,
    archivedAt: null,
    createdAt: momentOf(activities.find(({ type }) => type === "card.created")?.createdAt),
    labelIds: card.labels.map(({ publicId }) => publicId),
    members,
    people,
    checklists,
    comments: mapComments(activities, context, issues),
    attachments: detail.attachments.flatMap((attachment) => {
      const { publicId: sourceId, originalFilename, filename, url } = attachment;
      const fileName = nameOf(originalFilename) ?? nameOf(filename);
      const of = { sourceId, name: fileName, url, createdAt: null, isUpload: true, fileName };
      return sourceAttachment({ ...of, cardTitle: title }, issues);
    }),
    issues,
  };
}

const mapChecklists = (
  { checklists }: WholeCard["card"],
  issues: ReportIssue[],
  longTitles: string[],
): SourceChecklist[] =>
  checklists
    .toSorted((one, other) => one.index - other.index)
    .map((list) => {
      const skip = (issue: ReportIssue) => void issues.push(issue);
      const named = { id: list.publicId, name: list.name };
      const name = limitedName("checklist", named, 255, "Checklist", skip);
      const sorted = list.items.toSorted((one, other) => one.index - other.index);
      for (const item of sorted) longTitles.push(...longTitle(name, item.title));
      const items = sorted.map(({ publicId: id, title, completed: isComplete }) => {
        const item = { id, name: title, isComplete, completedAt: null, dueDate: null };
        return sourceItem({ ...item, assignee: null }, new Map(), skip);
      });
      return { sourceId: list.publicId, name, items };
    });

/** The comments that the activities of a card name: each once, with the time of the first one. */
function mapComments(
  activities: KanActivity[],
  { memberOf }: MapCardContext,
  issues: ReportIssue[],
) {
  const written = new Map<string, KanActivity>();
  for (const activity of activities) {
    const { comment, type } = activity;
    if (!comment || (comment.deletedAt ?? null) !== null) continue;
    if (type === "card.updated.comment.added" || !written.has(comment.publicId))
      written.set(comment.publicId, activity);
  }
  return sourceComments(
    [...written].map(([sourceId, { comment, user, createdAt }]) => {
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
    }),
    issues,
  );
}
