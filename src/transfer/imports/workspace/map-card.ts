import { catalog } from "../../../contract/events.ts";
import { cleanName } from "../../../domain/attachments/file.ts";
import type { Items } from "../../format/workspace.ts";
import type { ReportIssue } from "../job/report.ts";
import type {
  SourceAttachment,
  SourceCard,
  SourceChecklist,
  SourceComment,
  SourceEvent,
  SourceValue,
} from "../write/model.ts";
import { memberMissing, type Members } from "./map-board.ts";
import { withMentions, withOurIds, type IdMapping } from "./texts.ts";

type Card = Items["cards"];

/** What a card is converted with. `files` are the names of the files in the archive. */
export type MapCardContext = IdMapping & {
  members: Members;
  files: ReadonlyMap<string, unknown>;
  /** The type of a field of the document. */
  typeOf: (fieldPublicId: string) => string | undefined;
};

/** Converts a card of the document with everything on it. */
export function mapExportedCard(card: Card, context: MapCardContext): SourceCard {
  const { publicId: sourceId, listPublicId: listId, description, title, ...others } = card;
  const issues: ReportIssue[] = [];
  return {
    ...others,
    sourceId,
    listId,
    title,
    description: description === null ? null : withMentions(description, context),
    labelIds: card.labelPublicIds,
    people: [],
    members: card.memberPublicIds.flatMap((id) => {
      const person = context.members.get(id);
      const issue = { kind: "cardMember", sourceId: id, name: title, reason: memberMissing };
      if (person === undefined) issues.push(issue);
      return person ?? [];
    }),
    checklists: card.checklists.map((checklist) => mapChecklist(checklist, context, issues)),
    comments: card.comments.map((comment) => mapComment(comment, context)),
    attachments: card.attachments.flatMap((attachment) =>
      mapAttachment(attachment, context, issues),
    ),
    fields: card.fields.flatMap((value) => mapValue(value, card, context, issues)),
    history: card.activity.flatMap((event, index) => mapEvent(card, event, index, context, issues)),
    issues,
  };
}

/** A value of a field in the property of its type. */
function mapValue(
  { fieldPublicId: fieldId, value }: Card["fields"][number],
  { publicId: sourceId, title: name }: Card,
  { members, typeOf }: MapCardContext,
  issues: ReportIssue[],
): SourceValue[] {
  const type = typeOf(fieldId);
  if (typeof value === "number") return [{ fieldId, number: value }];
  if (typeof value === "boolean") return [{ fieldId, checked: value }];
  if (Array.isArray(value)) return [{ fieldId, options: value }];
  if (type === "date") return [{ fieldId, date: value }];
  if (type === "select") return [{ fieldId, options: [value] }];
  if (type !== "member") return [{ fieldId, text: value }];
  const member = members.get(value);
  if (member === undefined)
    issues.push({ kind: "cardField", sourceId, name, reason: memberMissing });
  return member === undefined ? [] : [{ fieldId, member }];
}

function mapChecklist(
  { publicId, items, ...checklist }: Card["checklists"][number],
  { members }: MapCardContext,
  issues: ReportIssue[],
): SourceChecklist {
  return {
    ...checklist,
    sourceId: publicId,
    items: items.map(({ publicId: sourceId, memberPublicId, ...item }) => {
      const person = memberPublicId === null ? null : (members.get(memberPublicId) ?? null);
      if (memberPublicId !== null && person === null) {
        const issue = { kind: "checklistItem", sourceId, name: item.title, reason: memberMissing };
        issues.push({ ...issue, severity: "partial" });
      }
      return { ...item, sourceId, person };
    }),
  };
}

const mapComment = (
  { publicId, comment, author, ...fields }: Card["comments"][number],
  context: MapCardContext,
): SourceComment => ({
  ...fields,
  sourceId: publicId,
  comment: withMentions(comment, context),
  authorId: author.memberPublicId,
  authorName: author.name,
});

function mapAttachment(
  { publicId: sourceId, kind, url, filename, file, ...fields }: Card["attachments"][number],
  { files }: MapCardContext,
  issues: ReportIssue[],
): SourceAttachment[] {
  const { createdAt, updatedAt, contentType, size, sha256 } = fields;
  const issue = { kind: "attachment", sourceId, name: filename };
  if (kind === "link") {
    if (!/^https?:\/\//i.test(url ?? "")) {
      issues.push({ ...issue, reason: "Its URL is neither http nor https." });
      return [];
    }
    return [{ sourceId, createdAt, updatedAt, contentType, filename, url, file: null }];
  }
  const fileName = file !== null && files.has(file) ? file : undefined;
  if (fileName === undefined) {
    const reason = "The file was not in the import: only its description is here.";
    issues.push({ ...issue, severity: "partial", reason });
  }
  const described = { storageKey: null, contentType, size, sha256 };
  const cleaned = { filename: cleanName(filename), fileName };
  return [{ sourceId, createdAt, updatedAt, ...cleaned, url: null, file: described }];
}

const activities: Record<string, { isActivity: boolean }> = catalog;
const isActivity = (type: string) =>
  Object.hasOwn(activities, type) && activities[type]?.isActivity === true;

function mapEvent(
  card: Card,
  { type, actor, data, changes, createdAt }: Card["activity"][number],
  index: number,
  context: MapCardContext,
  issues: ReportIssue[],
): SourceEvent[] {
  if (!isActivity(type)) {
    const issue = { kind: "activity", sourceId: card.publicId, name: card.title, detail: type };
    issues.push({ ...issue, reason: "This service does not know the type of the event." });
    return [];
  }
  return [
    {
      publicId: context.idOf(`${card.publicId} ${index}`),
      type,
      actorType: actor.type,
      // A source does not prove who did it: the actor is a name, never an account.
      actorPublicId: null,
      actorName: actor.name,
      data: withOurIds(data, context),
      changes: changes === null ? null : withOurIds(changes, context),
      createdAt,
    },
  ];
}
