import type { z } from "zod";
import type { ReportIssue } from "../job/report.ts";
import { limitedName, type Skip, type SkipOnCard } from "../write/limits.ts";
import { momentOf, nameOf, withoutAddresses } from "../../../platform/foreign-text.ts";
import type {
  MappedMember,
  SourceChecklist,
  SourceChecklistItem,
  SourcePerson,
  SourceValue,
} from "../write/model.ts";
import {
  longTitle,
  sourceAttachment,
  sourceComments,
  sourceItem,
  unknownMember,
} from "../write/source-parts.ts";
import { sourceValues, type FieldContext, type GivenValue } from "../write/source-fields.ts";
import { createdAt } from "./map-board.ts";
import type { BoardReader } from "./board-reader.ts";
import {
  TrelloAttachment,
  TrelloFieldItem,
  TrelloItem,
  TrelloMember,
  type TrelloCard,
  type TrelloChecklist,
  type TrelloComment,
  type TrelloLabel,
  TrelloItemState,
} from "../../integrations/trello/shapes.ts";

/** What a card is converted with. */
export type MapPartsContext = FieldContext & {
  reader: BoardReader;
  /** The labels of the board, by the ids on its cards. */
  labels: ReadonlyMap<string, TrelloLabel>;
  /** The members that people at Trello are mapped to, by their ids at Trello. */
  mapped: ReadonlyMap<string, MappedMember>;
};

/** The name of a member at Trello. */
const displayName = ({ fullName, username }: Pick<TrelloMember, "fullName" | "username">) =>
  withoutAddresses(
    [nameOf(fullName), nameOf(username)?.replace(/^/, "@")]
      .filter((name) => name !== null)
      .join(" "),
  ) || unknownMember;

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
    checkItemStates.flatMap((value) => {
      const { data } = TrelloItemState.safeParse(value);
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
      for (const item of items) longTitles.push(...longTitle(name, item.name));
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
  const issue = { sourceId: id, name: nameOf(item.name) };
  const dueDate = momentOf(item.due);
  if (dueDate === null && (item.due ?? null) !== null)
    skip({
      kind: "checklistItem",
      ...issue,
      severity: "partial",
      reason: "Its due date is invalid.",
    });
  if (Number(item.dueReminder ?? -1) >= 0)
    skip({ kind: "reminder", ...issue, reason: "Reminders are not supported." });
  const of = {
    id,
    name: item.name,
    isComplete: item.state === "complete",
    completedAt: momentOf(item.dateCompleted) ?? reader.times.of("checkItem", id) ?? null,
    dueDate,
    assignee: item.idMember === null ? null : personOf(item.idMember, reader),
  };
  return sourceItem(of, mapped, skip);
}

/** Converts comments, oldest first, with the names of their authors. */
export const mapComments = (
  comments: TrelloComment[],
  { reader }: MapPartsContext,
  issues: ReportIssue[],
) =>
  sourceComments(
    comments.map(({ id: sourceId, data, idMemberCreator, memberCreator, date }) => {
      const embedded = TrelloMember.safeParse(memberCreator).data;
      const authorId = embedded?.id ?? idMemberCreator;
      const member = reader.members.get(authorId ?? "") ?? embedded;
      const authorName = nameOf(member?.fullName) ?? nameOf(member?.username);
      const moment = momentOf(date) ?? createdAt(sourceId);
      return { sourceId, text: data.text, createdAt: moment, authorId, authorName };
    }),
    issues,
  );

/** Converts attachments to links; files that Trello stores may be fetched later. */
export const mapAttachments = (
  { id: cardId, attachments, name: title }: TrelloCard,
  issues: ReportIssue[],
) =>
  attachments.flatMap((attachment) => {
    const { id, name, fileName, url, date, isUpload } = TrelloAttachment.parse(attachment);
    const sourceId = id ?? cardId;
    const names = { name: nameOf(name), fileName: nameOf(fileName), cardTitle: nameOf(title) };
    const moment = momentOf(date) ?? createdAt(sourceId);
    return sourceAttachment({ sourceId, ...names, url, createdAt: moment, isUpload }, issues);
  });

/** Converts the values of custom fields, which Trello writes as texts and as ids of options. */
export const mapValues = (
  { customFieldItems }: TrelloCard,
  context: MapPartsContext,
  skip: SkipOnCard,
): SourceValue[] =>
  sourceValues(
    customFieldItems.flatMap((item): GivenValue[] => {
      const { data } = TrelloFieldItem.safeParse(item);
      if (data === undefined) {
        skip("cardField", "It does not have the format that Trello writes.");
        return [];
      }
      const { id, idCustomField: fieldId, idValue, value } = data;
      const content = idValue ?? Object.values(value ?? {})[0] ?? null;
      return [{ sourceId: id ?? undefined, fieldId, content }];
    }),
    context,
    skip,
  );
