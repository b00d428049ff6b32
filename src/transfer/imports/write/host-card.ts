import { momentOf, textOf } from "../../../platform/foreign-text.ts";
import type { ReportIssue } from "../job/report.ts";
import { descriptionOf, limitedName, membersOf, titleOf } from "./limits.ts";
import type { SourceCard, SourceChecklist, SourcePerson } from "./model.ts";
import { noTime } from "./no-time.ts";
import { sourceValues, type FieldContext, type GivenValue } from "./source-fields.ts";
import {
  longTitle,
  memberNotMapped,
  sourceAttachment,
  sourceComments,
  sourceItem,
  type Attachment,
  type Comment,
  type Item,
} from "./source-parts.ts";

/** Whether a card is in a state, and since when; null when that is unknown. */
type State = { is: boolean; since: string | null };

/** A card as a host has it: its texts may be anything. */
export type HostCard = Pick<SourceCard, "listId" | "labelIds"> & {
  id: string;
  title: unknown;
  description: unknown;
  dueDate: unknown;
  createdAt: string | null;
  updatedAt?: string | null;
  completed: State;
  archived: State;
  people: SourcePerson[];
  /** In their order, and so are the items. */
  checklists: { id: string; name: unknown; items: Item[] }[];
  comments: Comment[];
  attachments: Omit<Attachment, "cardTitle">[];
  /** Of its custom fields. */
  values?: GivenValue[];
  /** What is not imported of it. */
  leftOut?: (Pick<ReportIssue, "kind" | "reason"> & Partial<ReportIssue>)[];
};

/** Converts a card of a host; what is not imported of it is in its issues. */
export function sourceCard(
  card: HostCard,
  service: string,
  { fields = new Map(), mapped }: Partial<FieldContext> & Required<Pick<FieldContext, "mapped">>,
): SourceCard {
  const { id, listId, labelIds, createdAt, updatedAt, completed, archived } = card;
  const issues: ReportIssue[] = [];
  const report = (issue: ReportIssue) => void issues.push(issue);
  const { title, rest, skip, partly } = titleOf({ id, name: card.title }, "Untitled card", issues);
  const { people, members, unknown } = membersOf(card.people, mapped);
  for (const person of unknown) skip("cardMember", memberNotMapped, person);
  const longTitles: string[] = [];
  const checklists = card.checklists.map((list): SourceChecklist => {
    const name = limitedName("checklist", list, 255, "Checklist", report);
    for (const item of list.items) longTitles.push(...longTitle(name, item.name));
    const items = list.items.map((item) => sourceItem(item, mapped, report));
    return { sourceId: list.id, name, items };
  });
  const since = (what: "archived" | "completed", state: State): string | null => {
    if (!state.is || state.since !== null) return state.is ? state.since : null;
    partly(noTime(what));
    return "now";
  };
  const dueDate = momentOf(card.dueDate);
  if (dueDate === null && (card.dueDate ?? null) !== null) partly("Its due date is invalid.");
  for (const { kind, reason, ...details } of card.leftOut ?? []) skip(kind, reason, details);
  const names = unknown.map(({ name }) => name).join(", ");
  const unassigned = names === "" ? [] : [`Members at ${service}: ${names}`];
  const text = textOf(card.description) ?? "";
  return {
    sourceId: id,
    listId,
    title,
    description: descriptionOf([text, ...rest, ...unassigned, ...longTitles], partly),
    startDate: null,
    dueDate,
    completedAt: since("completed", completed),
    archivedAt: since("archived", archived),
    createdAt,
    ...(updatedAt === undefined ? {} : { updatedAt }),
    labelIds,
    members,
    people,
    checklists,
    comments: sourceComments(card.comments, issues),
    attachments: card.attachments.flatMap((attachment) =>
      sourceAttachment({ ...attachment, cardTitle: title }, issues),
    ),
    fields: sourceValues(card.values ?? [], { fields, mapped }, skip),
    issues,
  };
}
