import type { z } from "zod";
import { cleanName } from "../../../domain/attachments/filename.ts";
import type { ReportIssue } from "../job/report.ts";
import { noTime } from "../write/no-time.ts";
import { limitedName, limitedText, type Skip } from "../write/limits.ts";
import {
  addressOf,
  momentOf,
  nameOf,
  shortened,
  textOf,
  withoutAddresses,
} from "../../../platform/foreign-text.ts";
import type {
  MappedMember,
  SourceAttachment,
  SourceChecklist,
  SourceChecklistItem,
  SourceComment,
  SourcePerson,
} from "../write/model.ts";
import { createdAt } from "./map-board.ts";
import type { BoardReader } from "./board-reader.ts";
import {
  TrelloAttachment,
  TrelloItem,
  TrelloMember,
  type TrelloCard,
  type TrelloChecklist,
  type TrelloComment,
  type TrelloLabel,
  TrelloItemState,
} from "../../integrations/trello/shapes.ts";

const maxTitle = 500;

const notMapped = "The assignee is not mapped to a member here: the title has the name.";

/** What a card is converted with. */
export type MapPartsContext = {
  reader: BoardReader;
  /** The labels of the board, by the ids on its cards. */
  labels: ReadonlyMap<string, TrelloLabel>;
  /** The members that people at Trello are mapped to, by their ids at Trello. */
  mapped: ReadonlyMap<string, MappedMember>;
};

/** The name of a member at Trello. */
const displayName = ({ fullName, username }: Pick<TrelloMember, "fullName" | "username">) =>
  withoutAddresses(
    [nameOf(fullName), nameOf(username)?.replace(/^/, "@")].filter((one) => one !== null).join(" "),
  ) || unknownMember;

/** The name of a member who is not in the source. */
const unknownMember = "an unknown member";

/** A person at Trello. */
export function personOf(sourceId: string, { members }: BoardReader): SourcePerson {
  const member = members.get(sourceId);
  return { sourceId, name: member === undefined ? unknownMember : displayName(member) };
}

/** Converts checklists in their order. Item titles that are too long go to `longTitles`. */
export function mapChecklists(
  checklists: TrelloChecklist[],
  { checkItemStates }: TrelloCard,
  context: MapPartsContext,
  issues: ReportIssue[],
  longTitles: string[],
): SourceChecklist[] {
  const skip = (issue: ReportIssue) => void issues.push(issue);
  const states = new Map(
    checkItemStates.flatMap((one) => {
      const { data } = TrelloItemState.safeParse(one);
      return data === undefined ? [] : [[data.idCheckItem, data.state] as const];
    }),
  );
  return checklists
    .toSorted((one, other) => one.pos - other.pos)
    .map((checklist) => {
      const name = limitedName("checklist", checklist, 255, "Checklist", skip);
      const items = checklist.checkItems
        .map((item) => TrelloItem.parse(item))
        .map((item) => ({ ...item, state: item.state ?? states.get(item.id ?? "") }))
        .toSorted((one, other) => one.pos - other.pos);
      for (const item of items) {
        const title = nameOf(item.name) ?? "";
        if (shortened(title, maxTitle) !== title) longTitles.push(`${name}: ${title}`);
      }
      const mapped = items.map((item) => mapItem(item, context, skip));
      return { sourceId: checklist.id, name, items: mapped };
    });
}

function mapItem(
  item: z.infer<typeof TrelloItem>,
  { reader, mapped }: MapPartsContext,
  skip: Skip,
): SourceChecklistItem {
  const id = item.id ?? "";
  const kind = "checklistItem";
  const name = limitedName(kind, { id, name: item.name }, maxTitle, "Untitled item", skip);
  const issue = { kind, sourceId: id, name, severity: "partial" } as const;
  const assignee = item.idMember === null ? null : personOf(item.idMember, reader);
  const person = mapped.get(item.idMember ?? "") ?? null;
  let title = name;
  if (assignee !== null && person === null) {
    title = shortened(`${name} (${assignee.name})`, maxTitle);
    skip({ ...issue, reason: notMapped, detail: assignee.name });
  }
  const dueDate = momentOf(item.due);
  if (dueDate === null && (item.due ?? null) !== null)
    skip({ ...issue, reason: "Its due date is invalid." });
  if (Number(item.dueReminder ?? -1) >= 0)
    skip({ kind: "reminder", sourceId: id, name, reason: "Reminders are not supported." });
  const isComplete = item.state === "complete";
  const time = momentOf(item.dateCompleted) ?? reader.times.of("checkItem", id) ?? null;
  if (isComplete && time === null) skip({ ...issue, reason: noTime("completed") });
  const completedAt = isComplete ? (time ?? "now") : null;
  return { sourceId: id, title, completedAt, dueDate, person, assignee };
}

/** Converts comments, oldest first, with the names of their authors. */
export function mapComments(
  comments: TrelloComment[],
  { reader }: MapPartsContext,
  issues: ReportIssue[],
) {
  return comments
    .flatMap((comment): SourceComment[] => {
      const { id: sourceId, data, idMemberCreator, memberCreator } = comment;
      const full = textOf(data.text)?.trim() ?? "";
      const issue = { kind: "comment", sourceId };
      if (full === "") {
        issues.push({ ...issue, reason: "It has no text." });
        return [];
      }
      const partly = (reason: string) =>
        void issues.push({ ...issue, name: full.slice(0, 80), reason, severity: "partial" });
      const text = limitedText("comment", full, 20_000, partly) ?? "";
      const embedded = TrelloMember.safeParse(memberCreator).data;
      const authorId = embedded?.id ?? idMemberCreator;
      const member = reader.members.get(authorId ?? "") ?? embedded;
      const name = nameOf(member?.fullName) ?? nameOf(member?.username) ?? unknownMember;
      const moment = momentOf(comment.date) ?? createdAt(sourceId);
      const authorName = shortened(name, 255);
      return [{ sourceId, comment: text, createdAt: moment, authorId, authorName }];
    })
    .toSorted((one, other) => ((one.createdAt ?? "") < (other.createdAt ?? "") ? -1 : 1));
}

/** Converts attachments to links; files that Trello stores may be fetched later. */
export function mapAttachments(
  { id: cardId, attachments, name: title }: TrelloCard,
  issues: ReportIssue[],
) {
  return attachments.flatMap((attachment): SourceAttachment[] => {
    const { id, name, fileName, url: raw, date, isUpload } = TrelloAttachment.parse(attachment);
    const sourceId = id ?? cardId;
    const url = addressOf(raw);
    const given = nameOf(name) ?? nameOf(fileName) ?? url;
    if (url === null) {
      const shown = given ?? nameOf(title);
      const reason = "Its URL is neither http nor https.";
      issues.push({ kind: "attachment", sourceId, name: shown, reason });
      return [];
    }
    const whole = given ?? (isUpload ? "file" : url);
    const filename = isUpload ? cleanName(whole) : shortened(whole, 255);
    if (shortened(whole, 255) !== whole) {
      const reason = "The name was cut to 255 characters.";
      issues.push({ kind: "attachment", sourceId, name: whole, reason, severity: "partial" });
    }
    const upload = isUpload ? (nameOf(fileName) ?? filename) : undefined;
    const moment = momentOf(date) ?? createdAt(sourceId);
    return [{ sourceId, filename, url, createdAt: moment, file: null, fileName: upload }];
  });
}
