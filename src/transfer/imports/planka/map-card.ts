import type { PlankaAttachment, PlankaUser, WholeCard } from "../../integrations/planka/shapes.ts";
import { momentOf, nameOf, textOf, withoutAddresses } from "../../../platform/foreign-text.ts";
import { membersAt, sourceCard } from "../write/host-card.ts";
import type { SkipOnCard } from "../write/limits.ts";
import type { Members, SourceCard, SourcePerson } from "../write/source.ts";
import type { FieldContext } from "../write/source-custom-fields.ts";
import { unknownMember } from "../write/source-parts.ts";
import type { PlankaCustomFields } from "./custom-fields.ts";

/** What a card is converted with. */
export type MapCardContext = FieldContext & {
  members: Members;
  /** The groups and fields at Planka. */
  groups: PlankaCustomFields;
  /** The people that answers of Planka name, by their ids. */
  users: ReadonlyMap<string, PlankaUser>;
  labelIds: ReadonlySet<string>;
  /** The source id of the list that a card is in. */
  listOf: (card: WholeCard["card"]) => string;
  /** The ids of archives: their cards are archived. */
  archives: ReadonlySet<string>;
};

/** A person at Planka, as reports and cards name them. */
export function personOf(
  sourceId: string,
  users: ReadonlyMap<string, Pick<PlankaUser, "name" | "username">>,
): SourcePerson {
  const user = users.get(sourceId);
  const names = [nameOf(user?.name), nameOf(user?.username)?.replace(/^/, "@") ?? null];
  const name = withoutAddresses(names.filter((part) => part !== null).join(" "));
  return { sourceId, name: name || unknownMember };
}

/** Converts a card from Planka; what is not imported of it is in its issues. */
export function mapPlankaCard(wholeCard: WholeCard, context: MapCardContext): SourceCard {
  const { card, taskLists, comments } = wholeCard;
  const { users, labelIds } = context;
  const movedAt = momentOf(card.listChangedAt);
  const isTicked = card.isDueCompleted === true || card.isDueDateCompleted === true;
  return sourceCard(
    {
      id: card.id,
      listId: context.listOf(card),
      title: card.name,
      description: card.description,
      dueDate: card.dueDate,
      // A card is complete in a closed list, or when its due date is ticked off.
      completed: { is: card.isClosed || isTicked, since: card.isClosed ? movedAt : null },
      archived: { is: context.archives.has(card.listId), since: movedAt },
      createdAt: momentOf(card.createdAt),
      updatedAt: momentOf(card.updatedAt),
      labelIds: wholeCard.labelIds.filter((id) => labelIds.has(id)),
      people: wholeCard.userIds.map((id) => personOf(id, users)),
      checklists: inOrder(taskLists).map(({ id, name, tasks }) => ({
        id,
        name,
        items: inOrder(tasks).map(({ id: task, name: title, isCompleted, assigneeUserId }) => {
          const assignee = assigneeUserId === null ? null : personOf(assigneeUserId, users);
          const unset = { completedAt: null, dueDate: null };
          return { id: task, name: title, isComplete: isCompleted, assignee, ...unset };
        }),
      })),
      comments: comments.map(({ id, text, data, userId, createdAt, updatedAt }) => ({
        id,
        text: text ?? data?.text,
        createdAt: momentOf(createdAt),
        editedAt: momentOf(updatedAt),
        authorId: userId,
        authorName: nameOf(users.get(userId ?? "")?.name),
      })),
      attachments: wholeCard.attachments.map(mapAttachment),
      values: wholeCard.fields.map((value) => context.groups.valueOf(value)),
      report(skip) {
        for (const sourceId of wholeCard.labelIds.filter((id) => !labelIds.has(id)))
          skip("cardLabel", "Its label is not in the source.", { sourceId });
        skipUnsupported(card, skip);
      },
    },
    membersAt("Planka"),
    context,
  );
}

const inOrder = <Row extends { position: number }>(rows: Row[]): Row[] =>
  rows.toSorted((one, other) => one.position - other.position);

/** The address of an attachment, and the name of its file. */
function mapAttachment({ id, type, name, data, createdAt, url: ownUrl }: PlankaAttachment) {
  const url = textOf(ownUrl) ?? textOf(data?.url);
  const isUpload = type === "file";
  const fileName = isUpload ? fileNameIn(url) : null;
  return { id, name: nameOf(name), url, isUpload, fileName, createdAt: momentOf(createdAt) };
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

/** The type of most cards, which says nothing. */
const usualType = "project";

/** Reports the features of a card that this service does not have. */
function skipUnsupported(card: WholeCard["card"], skip: SkipOnCard) {
  const type = textOf(card.type) ?? usualType;
  if (type !== usualType) skip("cardType", "Types of cards are not supported.", { detail: type });
  if ((card.stopwatch ?? null) !== null) skip("stopwatch", "Stopwatches are not supported.");
  if (card.coverAttachmentId !== null) skip("cover", "Covers are not supported.");
}
