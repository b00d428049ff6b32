import type { PlankaAttachment, PlankaUser, WholeCard } from "../../integrations/planka/shapes.ts";
import { momentOf, nameOf, textOf, withoutAddresses } from "../../../platform/foreign-text.ts";
import { sourceCard, type HostCard } from "../write/host-card.ts";
import type { SourceCard, SourcePerson } from "../write/model.ts";
import type { FieldContext } from "../write/source-fields.ts";
import { unknownMember } from "../write/source-parts.ts";
import type { PlankaFields } from "./fields.ts";

/** What a card is converted with. */
export type MapCardContext = Required<FieldContext> & {
  /** The groups and fields at Planka. */
  groups: PlankaFields;
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
  const [knownIds, unknownIds] = [true, false].map((is) =>
    wholeCard.labelIds.filter((id) => labelIds.has(id) === is),
  );
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
      labelIds: knownIds ?? [],
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
      comments: comments.map(({ id: sourceId, text, data, userId, createdAt, updatedAt }) => ({
        sourceId,
        text: text ?? data?.text,
        createdAt: momentOf(createdAt),
        updatedAt: momentOf(updatedAt),
        isEdited: momentOf(updatedAt) !== null,
        authorId: userId,
        authorName: nameOf(users.get(userId ?? "")?.name),
      })),
      attachments: wholeCard.attachments.map(mapAttachment),
      values: wholeCard.fields.map((value) => context.groups.valueOf(value)),
      leftOut: [...(unknownIds ?? []).map(unknownLabel), ...unsupported(wholeCard)],
    },
    "Planka",
    context,
  );
}

const inOrder = <Row extends { position: number }>(rows: Row[]): Row[] =>
  rows.toSorted((one, other) => one.position - other.position);

const unknownLabel = (sourceId: string) => {
  return { kind: "cardLabel", reason: "Its label is not in the source.", sourceId };
};

/** The address of an attachment, and the name of its file. */
function mapAttachment({
  id: sourceId,
  type,
  name,
  data,
  createdAt,
  url: ownUrl,
}: PlankaAttachment) {
  const url = textOf(ownUrl) ?? textOf(data?.url);
  const isUpload = type === "file";
  const fileName = isUpload ? fileNameIn(url) : null;
  return { sourceId, name: nameOf(name), url, isUpload, fileName, createdAt: momentOf(createdAt) };
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

/** The features of a card that this service does not have. */
function unsupported({ card }: WholeCard): HostCard["leftOut"] & object {
  const type = textOf(card.type) ?? usualType;
  return [
    ...(type === usualType
      ? []
      : [{ kind: "cardType", reason: "Types of cards are not supported.", detail: type }]),
    ...((card.stopwatch ?? null) === null
      ? []
      : [{ kind: "stopwatch", reason: "Stopwatches are not supported." }]),
    ...(card.coverAttachmentId === null
      ? []
      : [{ kind: "cover", reason: "Covers are not supported." }]),
  ];
}
