import { cleanName } from "../../../domain/attachments/file.ts";
import { addressOf, nameOf, shortened, textOf } from "../../../platform/foreign-text.ts";
import type { ReportIssue } from "../job/report.ts";
import { limitedName, limitedText, type Skip } from "./limits.ts";
import {
  timesOf,
  type Members,
  type SourceAttachment,
  type SourceComment,
  type SourceItem,
  type SourceList,
  type SourcePerson,
} from "./source.ts";
import { noTime } from "./no-time.ts";

const maxTitle = 500;
const notMapped = "The assignee is not mapped to a member here: the title has the name.";

/** A person of a source whom it does not name. */
export const unknownMember = "an unknown member";

/** A list as sources have it. */
type List = {
  id: string;
  name: unknown;
  archivedAt?: string | null;
  wipLimit?: number | null;
  createdAt?: string | null;
};

/** Converts a list. */
export const sourceList = (
  { id, name, archivedAt = null, wipLimit = null, createdAt }: List,
  skip: Skip,
): SourceList => ({
  publicId: id,
  name: limitedName("list", { id, name }, 255, "Untitled list", skip),
  archivedAt,
  wipLimit,
  ...timesOf(createdAt),
});

/** An item as sources have it. `completedAt` is null when its time is unknown. */
export type Item = {
  id: string;
  name: unknown;
  isComplete: boolean;
  completedAt: string | null;
  dueDate: string | null;
  assignee: SourcePerson | null;
};

/** Converts an item of a checklist. Its title names an assignee who is mapped to no member. */
export function sourceItem(
  { id, name: fullName, isComplete, completedAt, dueDate, assignee }: Item,
  members: Members,
  skip: Skip,
): SourceItem {
  const kind = "checklistItem";
  const name = limitedName(kind, { id, name: fullName }, maxTitle, "Untitled item", skip);
  const issue = { kind, sourceId: id, name, severity: "partial" } as const;
  let title = name;
  if (assignee !== null && !members.has(assignee.sourceId)) {
    title = shortened(`${name} (${assignee.name})`, maxTitle);
    skip({ ...issue, reason: notMapped, detail: assignee.name });
  }
  if (isComplete && completedAt === null) skip({ ...issue, reason: noTime("completed") });
  const completed = isComplete ? (completedAt ?? "now") : null;
  const memberPublicId = assignee?.sourceId ?? null;
  return { publicId: id, title, completedAt: completed, dueDate, memberPublicId, ...timesOf() };
}

/** A title that does not fit, for the description of its card. */
export const longTitle = (checklist: string, name: unknown): string[] => {
  const title = nameOf(name) ?? "";
  return shortened(title, maxTitle) === title ? [] : [`${checklist}: ${title}`];
};

/** A comment as sources have it. */
export type Comment = {
  id: string;
  text: unknown;
  createdAt: string | null;
  /** When it was edited, where the source says so. */
  editedAt?: string | null;
  authorId: string | null;
  authorName: string | null;
};

/** Converts comments, oldest first; one without text is skipped. */
export const sourceComments = (comments: Comment[], issues: ReportIssue[]): SourceComment[] =>
  comments
    .toSorted((one, other) => ((one.createdAt ?? "") < (other.createdAt ?? "") ? -1 : 1))
    .flatMap(({ id, text, createdAt, editedAt = null, authorId, authorName }): SourceComment[] => {
      const full = textOf(text)?.trim() ?? "";
      const issue = { kind: "comment", sourceId: id };
      if (full === "") {
        issues.push({ ...issue, reason: "It has no text." });
        return [];
      }
      const partly = (reason: string) =>
        void issues.push({ ...issue, name: full.slice(0, 80), reason, severity: "partial" });
      const comment = limitedText("comment", full, 20_000, partly) ?? "";
      const name = shortened(authorName ?? unknownMember, 255);
      const author = { memberPublicId: authorId, name };
      const times = timesOf(createdAt, editedAt ?? createdAt);
      return [{ publicId: id, comment, author, isEdited: editedAt !== null, ...times }];
    });

/** An attachment as sources have it; `upload` is the name of a file that the source stores. */
export type Attachment = {
  id: string;
  name: string | null;
  url: unknown;
  createdAt: string | null;
  isUpload: boolean;
  fileName: string | null;
};

/** Converts an attachment to a link; a file that the source stores may be fetched later. */
export function sourceAttachment(
  { id: sourceId, name, url: raw, createdAt, isUpload, fileName }: Attachment,
  cardTitle: string,
  issues: ReportIssue[],
): SourceAttachment[] {
  const url = addressOf(raw);
  const sourceName = name ?? fileName ?? url;
  if (url === null) {
    const reason = "Its URL is neither http nor https.";
    issues.push({ kind: "attachment", sourceId, name: sourceName ?? cardTitle, reason });
    return [];
  }
  const fullName = sourceName ?? (isUpload ? "file" : url);
  const filename = isUpload ? cleanName(fullName) : shortened(fullName, 255);
  if (shortened(fullName, 255) !== fullName) {
    const reason = "The name was cut to 255 characters.";
    issues.push({ kind: "attachment", sourceId, name: fullName, reason, severity: "partial" });
  }
  const file = isUpload ? (fileName ?? filename) : null;
  const kind = isUpload ? "file" : "link";
  const unknown = { contentType: "text/uri-list", size: null, sha256: null };
  return [{ publicId: sourceId, kind, filename, url, file, ...unknown, ...timesOf(createdAt) }];
}
