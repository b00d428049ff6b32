import { catalog } from "../../../contract/events.ts";
import { cleanName } from "../../../domain/attachments/file.ts";
import type { Items } from "../../format/workspace.ts";
import type { ReportIssue } from "../job/report.ts";
import type { Members, SourceCard } from "../write/source.ts";
import { withMentions, withOurIds, type IdMapping } from "./texts.ts";

type Card = Items["cards"];

/** What a card is converted with. `files` are the names of the files in the archive. */
export type MapCardContext = IdMapping & {
  members: Members;
  files: ReadonlyMap<string, unknown>;
  /** The type of a field of the document. */
  typeOf: (fieldPublicId: string) => string | undefined;
};

/** The reason for a relation to a member who was not imported. */
export const memberMissing = "The member was not imported.";

/** Replaces what a card of the document has of another service; the rest of it is as it was. */
export function mapExportedCard(card: Card, context: MapCardContext): SourceCard {
  const { description, comments } = card;
  const issues: ReportIssue[] = [];
  skipMembers(card, context, issues);
  return {
    ...card,
    description: description === null ? null : withMentions(description, context),
    comments: comments.map((of) => ({ ...of, comment: withMentions(of.comment, context) })),
    attachments: card.attachments.flatMap((attachment) =>
      mapAttachment(attachment, context, issues),
    ),
    fields: card.fields.flatMap((value) => mapValue(value, card, context, issues)),
    activity: card.activity.flatMap((event) => mapEvent(card, event, context, issues)),
    people: [],
    issues,
  };
}

/** Reports the members of a card and the assignees of its items who were not imported. */
function skipMembers(card: Card, { members }: MapCardContext, issues: ReportIssue[]) {
  for (const id of card.memberPublicIds) {
    const issue = { kind: "cardMember", sourceId: id, name: card.title, reason: memberMissing };
    if (!members.has(id)) issues.push(issue);
  }
  for (const item of card.checklists.flatMap(({ items }) => items)) {
    const { publicId: sourceId, title: name, memberPublicId: id } = item;
    const issue = { kind: "checklistItem", sourceId, name, reason: memberMissing };
    if (id !== null && !members.has(id)) issues.push({ ...issue, severity: "partial" });
  }
}

function mapValue(
  { fieldPublicId, value }: Card["fields"][number],
  { publicId: sourceId, title: name }: Card,
  { members, typeOf }: MapCardContext,
  issues: ReportIssue[],
): Card["fields"] {
  const type = typeOf(fieldPublicId);
  if (typeof value !== "string") return [{ fieldPublicId, value }];
  if (type === "select") return [{ fieldPublicId, value: [value] }];
  if (type !== "member" || members.has(value)) return [{ fieldPublicId, value }];
  issues.push({ kind: "cardField", sourceId, name, reason: memberMissing });
  return [];
}

function mapAttachment(
  attachment: Card["attachments"][number],
  { files }: MapCardContext,
  issues: ReportIssue[],
): Card["attachments"] {
  const { publicId: sourceId, kind, url, filename } = attachment;
  const issue = { kind: "attachment", sourceId, name: filename };
  if (kind === "link") {
    if (/^https?:\/\//i.test(url ?? "")) return [{ ...attachment, file: null }];
    issues.push({ ...issue, reason: "Its URL is neither http nor https." });
    return [];
  }
  const file = files.has(attachment.file ?? "") ? attachment.file : null;
  if (file === null) {
    const reason = "The file was not in the import: only its description is here.";
    issues.push({ ...issue, severity: "partial", reason });
  }
  return [{ ...attachment, filename: cleanName(filename), url: null, file }];
}

const activities: Record<string, { isActivity: boolean }> = catalog;
const isActivity = (type: string) =>
  Object.hasOwn(activities, type) && activities[type]?.isActivity === true;

function mapEvent(
  { publicId: sourceId, title: name }: Card,
  event: Card["activity"][number],
  context: MapCardContext,
  issues: ReportIssue[],
): Card["activity"] {
  const { type, data, changes } = event;
  if (!isActivity(type)) {
    const reason = "This service does not know the type of the event.";
    issues.push({ kind: "activity", sourceId, name, detail: type, reason });
    return [];
  }
  const changesHere = changes === null ? null : withOurIds(changes, context);
  return [{ ...event, data: withOurIds(data, context), changes: changesHere }];
}
