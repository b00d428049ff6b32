import { cleanName } from "../../../domain/attachments/file.ts";
import { addressOf, nameOf, shortened, textOf } from "../../../platform/foreign-text.ts";
import type { ReportIssue } from "../job/report.ts";
import { limitedName, limitedText, type Skip } from "./limits.ts";
import type {
  MappedMember,
  SourceAttachment,
  SourceChecklistItem,
  SourceComment,
  SourcePerson,
} from "./model.ts";
import { noTime } from "./no-time.ts";

const maxTitle = 500;
const notMapped = "The assignee is not mapped to a member here: the title has the name.";

/** Why a card does not get a member of its source. */
export const memberNotMapped =
  "The member is not mapped to one here: the card's description names them.";

/** A person of a source whom it does not name. */
export const unknownMember = "an unknown member";

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
  mapped: ReadonlyMap<string, MappedMember>,
  skip: Skip,
): SourceChecklistItem {
  const kind = "checklistItem";
  const name = limitedName(kind, { id, name: fullName }, maxTitle, "Untitled item", skip);
  const issue = { kind, sourceId: id, name, severity: "partial" } as const;
  const person = mapped.get(assignee?.sourceId ?? "") ?? null;
  let title = name;
  if (assignee !== null && person === null) {
    title = shortened(`${name} (${assignee.name})`, maxTitle);
    skip({ ...issue, reason: notMapped, detail: assignee.name });
  }
  if (isComplete && completedAt === null) skip({ ...issue, reason: noTime("completed") });
  const completed = isComplete ? (completedAt ?? "now") : null;
  return { sourceId: id, title, completedAt: completed, dueDate, person, assignee };
}

/** A title that does not fit, for the description of its card. */
export const longTitle = (checklist: string, name: unknown): string[] => {
  const title = nameOf(name) ?? "";
  return shortened(title, maxTitle) === title ? [] : [`${checklist}: ${title}`];
};

/** A comment as sources have it. */
export type Comment = Omit<SourceComment, "comment"> & { text: unknown };

/** Converts comments, oldest first; one without text is skipped. */
export const sourceComments = (comments: Comment[], issues: ReportIssue[]): SourceComment[] =>
  comments
    .flatMap(({ text, authorName, ...comment }): SourceComment[] => {
      const full = textOf(text)?.trim() ?? "";
      const issue = { kind: "comment", sourceId: comment.sourceId };
      if (full === "") {
        issues.push({ ...issue, reason: "It has no text." });
        return [];
      }
      const partly = (reason: string) =>
        void issues.push({ ...issue, name: full.slice(0, 80), reason, severity: "partial" });
      const limited = limitedText("comment", full, 20_000, partly) ?? "";
      const name = shortened(authorName ?? unknownMember, 255);
      return [{ ...comment, comment: limited, authorName: name }];
    })
    .toSorted((one, other) => ((one.createdAt ?? "") < (other.createdAt ?? "") ? -1 : 1));

/** An attachment as sources have it; `upload` is the name of a file that the source stores. */
export type Attachment = {
  sourceId: string;
  name: string | null;
  url: unknown;
  createdAt: string | null;
  isUpload: boolean;
  fileName: string | null;
  cardTitle: string | null;
};

/** Converts an attachment to a link; a file that the source stores may be fetched later. */
export function sourceAttachment(
  { sourceId, name, url: raw, createdAt, isUpload, fileName, cardTitle }: Attachment,
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
  const upload = isUpload ? (fileName ?? filename) : undefined;
  return [{ sourceId, filename, url, createdAt, file: null, fileName: upload }];
}
