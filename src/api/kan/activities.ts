import { z } from "zod";
import { Activity } from "../../contract/resources/activity.ts";
import { personOf, type Addresses } from "./shapes.ts";

/** A page of the activities of a card. */
export const Activities = z.object({ items: z.array(Activity), nextCursor: z.string().nullable() });

type AnActivity = z.infer<typeof Activity>;
type Parts = z.infer<typeof Data>;

const types: ReadonlyMap<string, string> = new Map([
  ["card.label_added", "card.updated.label.added"],
  ["card.label_removed", "card.updated.label.removed"],
  ["card.member_added", "card.updated.member.added"],
  ["card.member_removed", "card.updated.member.removed"],
  ["comment.created", "card.updated.comment.added"],
  ["comment.updated", "card.updated.comment.updated"],
  ["comment.deleted", "card.updated.comment.deleted"],
  ["checklist.created", "card.updated.checklist.added"],
  ["checklist.updated", "card.updated.checklist.renamed"],
  ["checklist.moved", "card.updated.checklist.renamed"],
  ["checklist.deleted", "card.updated.checklist.deleted"],
  ["checklist_item.created", "card.updated.checklist.item.added"],
  ["checklist_item.updated", "card.updated.checklist.item.updated"],
  ["checklist_item.moved", "card.updated.checklist.item.updated"],
  ["checklist_item.completed", "card.updated.checklist.item.completed"],
  ["checklist_item.uncompleted", "card.updated.checklist.item.uncompleted"],
  ["checklist_item.deleted", "card.updated.checklist.item.deleted"],
  ["attachment.created", "card.updated.attachment.added"],
  ["attachment.deleted", "card.updated.attachment.removed"],
]);

/** The data of an event, as far as Kan shows it. */
const Data = z.object({
  list: z.object({ publicId: z.string(), name: z.string() }).optional(),
  label: z.object({ publicId: z.string(), name: z.string() }).optional(),
  member: z
    .object({ publicId: z.string(), name: z.string(), image: z.string().nullable() })
    .optional(),
  comment: z
    .object({ publicId: z.string(), comment: z.string(), updatedAt: z.string() })
    .partial({ updatedAt: true })
    .optional(),
  attachment: z.object({ publicId: z.string(), filename: z.string() }).optional(),
  checklistItem: z.object({ title: z.string() }).optional(),
  checklist: z.object({ name: z.string() }).optional(),
  from: z.object({ listPublicId: z.string().optional(), index: z.int().nullish() }).optional(),
  to: z.object({ listPublicId: z.string().optional(), index: z.int().nullish() }).optional(),
});

const Change = z.object({ from: z.unknown(), to: z.unknown() });
const textOrNull = (value: unknown) => (typeof value === "string" ? value : null);

/** The fields whose changes have a type in Kan, each with its name there. */
const changedFields = [
  ["title", "Title"],
  ["description", "Description"],
  ["dueDate", "DueDate"],
] as const;

const nothing = {
  fromIndex: null,
  toIndex: null,
  fromTitle: null,
  toTitle: null,
  fromDescription: null,
  toDescription: null,
  fromDueDate: null,
  toDueDate: null,
  fromList: null,
  toList: null,
};

/** Activities as Kan shows them. A change of two fields becomes two activities. */
export const activitiesOf = (items: AnActivity[], addresses: Addresses) =>
  items.flatMap((activity) => {
    const data = Data.parse(activity.data);
    const common = { ...nothing, ...partsOf(activity, data, addresses) };
    return changesOf(activity, data).map((change, nth) => ({
      publicId: nth === 0 ? activity.publicId : `${activity.publicId}-${nth}`,
      createdAt: activity.createdAt,
      ...common,
      ...change,
    }));
  });

/** The people and parts of an activity; null for missing ones. */
function partsOf(
  { actor, type }: AnActivity,
  { label, member, comment, attachment }: Parts,
  addresses: Addresses,
) {
  const person = (source: { publicId: string; name: string; image?: string | null }) =>
    personOf(source, addresses.get(source.publicId));
  const isDeleted = type === "comment.deleted";
  return {
    label: label ?? null,
    member: member === undefined ? null : { publicId: member.publicId, user: person(member) },
    user:
      actor.publicId === null
        ? { id: null, name: actor.name, email: "", image: null }
        : person({ publicId: actor.publicId, name: actor.name }),
    comment:
      comment === undefined
        ? null
        : {
            publicId: comment.publicId,
            comment: comment.comment,
            createdBy: actor.publicId,
            updatedAt: comment.updatedAt ?? null,
            deletedAt: isDeleted ? (comment.updatedAt ?? null) : null,
          },
    attachment:
      attachment === undefined
        ? null
        : {
            publicId: attachment.publicId,
            filename: attachment.filename,
            originalFilename: attachment.filename,
          },
  };
}

/** The types of an activity, each with the values that changed. */
function changesOf({ type, changes }: AnActivity, data: Parts): object[] {
  const kanType = types.get(type);
  const toTitle = data.checklistItem?.title ?? data.checklist?.name ?? null;
  if (kanType !== undefined) return [{ type: kanType, toTitle }];
  if (type === "card.moved") return [moveOf(data)];
  const fields = changedFields.flatMap(([field, name]) => {
    const change = Change.safeParse(changes?.[field]);
    if (!change.success) return [];
    const [from, to] = [textOrNull(change.data.from), textOrNull(change.data.to)];
    return [{ type: typeOf(field, from, to), [`from${name}`]: from, [`to${name}`]: to }];
  });
  return fields.length === 0 ? [{ type }] : fields;
}

function typeOf(field: (typeof changedFields)[number][0], from: string | null, to: string | null) {
  if (field !== "dueDate") return `card.updated.${field}`;
  const verb = from === null ? "added" : to === null ? "removed" : "updated";
  return `card.updated.dueDate.${verb}`;
}

/** A move within a list, or to another one. Events name only the list that the card is in. */
function moveOf({ list, from, to }: Parts) {
  const indexes = { fromIndex: from?.index ?? null, toIndex: to?.index ?? null };
  if (from === undefined || list === undefined || from.listPublicId === to?.listPublicId) {
    return { type: "card.updated.index", ...indexes };
  }
  return {
    type: "card.updated.list",
    ...indexes,
    fromList: { publicId: from.listPublicId, name: "", index: 0 },
    toList: { publicId: list.publicId, name: list.name, index: 0 },
  };
}
