import type {
  PlankaAttachment,
  PlankaComment,
  PlankaUser,
  WholeCard,
} from "../../integrations/planka/shapes.ts";
import { momentOf, nameOf, textOf, withoutAddresses } from "../../../platform/foreign-text.ts";
import type { ReportIssue } from "../job/report.ts";
import {
  descriptionOf,
  limitedName,
  membersOf,
  titleOf,
  type SkipOnCard,
} from "../write/limits.ts";
import type { MappedMember, SourceCard, SourceChecklist, SourcePerson } from "../write/model.ts";
import { noTime } from "../write/no-time.ts";
import {
  longTitle,
  memberNotMapped,
  sourceAttachment,
  sourceComments,
  sourceItem,
  unknownMember,
} from "../write/source-parts.ts";

/** What a card is converted with. */
export type MapCardContext = {
  /** The people that answers of Planka name, by their ids. */
  users: ReadonlyMap<string, PlankaUser>;
  labelIds: ReadonlySet<string>;
  /** The source id of the list that a card is in. */
  listOf: (card: WholeCard["card"]) => string;
  /** The ids of archives: their cards are archived. */
  archives: ReadonlySet<string>;
  mapped: ReadonlyMap<string, MappedMember>;
};

/** A person at Planka. */
export function personOf(
  sourceId: string,
  users: ReadonlyMap<string, Pick<PlankaUser, "name" | "username">>,
): SourcePerson {
  const user = users.get(sourceId);
  const names = [nameOf(user?.name), nameOf(user?.username)?.replace(/^/, "@") ?? null];
  const name = withoutAddresses(names.filter((one) => one !== null).join(" "));
  return { sourceId, name: name || unknownMember };
}

/** Converts a card from Planka; what is not imported of it is in its issues. */
export function mapPlankaCard(whole: WholeCard, context: MapCardContext): SourceCard {
  const { card, attachments, comments } = whole;
  const issues: ReportIssue[] = [];
  const { title, rest, skip, partly } = titleOf(card, "Untitled card", issues);
  const people = whole.userIds.map((id) => personOf(id, context.users));
  const { members, unknown } = membersOf(people, context.mapped);
  for (const person of unknown) skip("cardMember", memberNotMapped, person);
  const longTitles: string[] = [];
  const checklists = mapTaskLists(whole, context, issues, longTitles);
  const names = unknown.map(({ name }) => name).join(", ");
  const atPlanka = names === "" ? [] : [`Members at Planka: ${names}`];
  const text = textOf(card.description) ?? "";
  const isArchived = context.archives.has(card.listId);
  const moved = momentOf(card.listChangedAt);
  if (isArchived && moved === null) partly(noTime("archived"));
  const dueDate = momentOf(card.dueDate);
  if (dueDate === null && (card.dueDate ?? null) !== null) partly("Its due date is invalid.");
  skipFeatures(whole, skip);
  return {
    sourceId: card.id,
    listId: context.listOf(card),
    title,
    description: descriptionOf([text, ...rest, ...atPlanka, ...longTitles], partly),
    startDate: null,
    dueDate,
    completedAt: completedAt(card, partly),
    archivedAt: isArchived ? (moved ?? "now") : null,
    createdAt: momentOf(card.createdAt),
    updatedAt: momentOf(card.updatedAt),
    labelIds: whole.labelIds.filter((id) => {
      if (context.labelIds.has(id)) return true;
      skip("cardLabel", "Its label is not in the source.", { sourceId: id });
      return false;
    }),
    members,
    people,
    checklists,
    comments: mapComments(comments, context, issues),
    attachments: attachments.flatMap((one) => mapAttachment(one, title, issues)),
    issues,
  };
}

/** A card is complete in a closed list, or when its due date is ticked off. */
function completedAt(card: WholeCard["card"], partly: (reason: string) => void): string | null {
  const isTicked = card.isDueCompleted === true || card.isDueDateCompleted === true;
  const closedAt = card.isClosed ? momentOf(card.listChangedAt) : null;
  if (closedAt !== null || !(card.isClosed || isTicked)) return closedAt;
  partly(noTime("completed"));
  return "now";
}

const mapTaskLists = (
  { taskLists }: WholeCard,
  { users, mapped }: MapCardContext,
  issues: ReportIssue[],
  longTitles: string[],
): SourceChecklist[] =>
  taskLists
    .toSorted((one, other) => one.position - other.position)
    .map((list) => {
      const skip = (issue: ReportIssue) => void issues.push(issue);
      const name = limitedName("checklist", list, 255, "Checklist", skip);
      const tasks = list.tasks.toSorted((one, other) => one.position - other.position);
      for (const task of tasks) longTitles.push(...longTitle(name, task.name));
      const items = tasks.map(({ id, name: given, isCompleted, assigneeUserId }) => {
        const assignee = assigneeUserId === null ? null : personOf(assigneeUserId, users);
        const item = { id, name: given, isComplete: isCompleted, assignee };
        return sourceItem({ ...item, completedAt: null, dueDate: null }, mapped, skip);
      });
      return { sourceId: list.id, name, items };
    });

const mapComments = (comments: PlankaComment[], { users }: MapCardContext, issues: ReportIssue[]) =>
  sourceComments(
    comments.map(({ id: sourceId, text, data, userId, createdAt, updatedAt }) => ({
      sourceId,
      text: text ?? data?.text,
      createdAt: momentOf(createdAt),
      updatedAt: momentOf(updatedAt),
      isEdited: momentOf(updatedAt) !== null,
      authorId: userId,
      authorName: nameOf(users.get(userId ?? "")?.name),
    })),
    issues,
  );

/** The address of an attachment, and the name of its file. */
function mapAttachment(attachment: PlankaAttachment, cardTitle: string, issues: ReportIssue[]) {
  const { id: sourceId, type, name, data, createdAt } = attachment;
  const url = textOf(attachment.url) ?? textOf(data?.url);
  const isUpload = type === "file";
  const fileName = isUpload ? fileNameIn(url) : null;
  const of = { sourceId, name: nameOf(name), url, isUpload, fileName, cardTitle };
  return sourceAttachment({ ...of, createdAt: momentOf(createdAt) }, issues);
}

/** The last part of the path of a URL. */
function fileNameIn(url: string | null): string | null {
  const last = url?.split(/[?#]/)[0]?.split("/").at(-1) ?? "";
  try {
    return nameOf(decodeURIComponent(last));
  } catch {
    return nameOf(last);
  }
}

/** Reports the features of a card that this service does not have. */
function skipFeatures({ card, fields }: WholeCard, skip: SkipOnCard) {
  if ((card.stopwatch ?? null) !== null) skip("stopwatch", "Stopwatches are not supported.");
  if (card.coverAttachmentId !== null) skip("cover", "Covers are not supported.");
  for (const { id: sourceId, name, content } of fields) {
    const detail = `${nameOf(name) ?? "a field without a name"}: ${(textOf(content) ?? "").slice(0, 500)}`;
    skip("customFieldValue", "Custom fields are not supported.", { sourceId, detail });
  }
}
