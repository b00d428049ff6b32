import { plannedDateOf, textOf } from "../../../platform/foreign-text.ts";
import type { ReportIssue } from "../job/report.ts";
import { descriptionOf, limitedName, titleOf, type SkipOnCard } from "./limits.ts";
import { timesOf, type Members, type SourceCard, type SourcePerson } from "./source.ts";
import { noTime } from "./no-time.ts";
import type { SourceRelation } from "./source-relations.ts";
import { sourceValues, type FieldContext, type ValueInput } from "./source-custom-fields.ts";
import {
  longTitle,
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
export type HostCard = {
  id: string;
  listId: string;
  labelIds: string[];
  title: unknown;
  description: unknown;
  startDate?: unknown;
  dueDate: unknown;
  createdAt: string | null;
  updatedAt?: string | null;
  completed: State;
  archived: State;
  people: SourcePerson[];
  /** In their order, and so are the items. */
  checklists: { id: string; name: unknown; items: Item[] }[];
  comments: Comment[];
  attachments: Attachment[];
  /** Of its custom fields. */
  values?: ValueInput[];
  /** What it is to other cards of the source. */
  relations?: SourceRelation[];
  /** What was not read of it. */
  issues?: ReportIssue[] | undefined;
  /** Reports what is not imported of it. */
  report?: (skip: SkipOnCard) => void;
};

/** What is said of cards of a host. */
type Texts = {
  untitled: string;
  /** Why a person is not assigned. */
  notMapped: string;
  /** Names these people in a description. */
  people: (names: string[]) => string;
};

/** What is said of cards of a host whose people are members of cards. */
export const membersAt = (service: string): Texts => ({
  untitled: "Untitled card",
  notMapped: "The member is not mapped to one here: the card's description names them.",
  people: (names) => `Members at ${service}: ${names.join(", ")}`,
});

/** Converts a card of a host; what is not imported of it is in its issues. */
export function sourceCard(
  card: HostCard,
  texts: Texts,
  { fields = new Map(), members }: Partial<FieldContext> & { members: Members },
): SourceCard {
  const { id, listId, labelIds, createdAt, updatedAt, completed, archived } = card;
  const issues: ReportIssue[] = [...(card.issues ?? [])];
  const report = (issue: ReportIssue) => void issues.push(issue);
  const { title, rest, skip, partly } = titleOf({ id, name: card.title }, texts.untitled, issues);
  const unknown = card.people.filter(({ sourceId }) => !members.has(sourceId));
  for (const person of unknown) skip("cardMember", texts.notMapped, person);
  const longTitles: string[] = [];
  const checklists = card.checklists.map((list) => {
    const name = limitedName("checklist", list, 255, "Checklist", report);
    for (const item of list.items) longTitles.push(...longTitle(name, item.name));
    const items = list.items.map((item) => sourceItem(item, members, report));
    return { publicId: list.id, name, items, ...timesOf() };
  });
  const since = (what: "archived" | "completed", state: State): string | null => {
    if (!state.is || state.since !== null) return state.is ? state.since : null;
    partly(noTime(what));
    return "now";
  };
  const items = card.checklists.flatMap((list) => list.items);
  const assignees = items.flatMap(({ assignee }) => assignee ?? []);
  const dateOf = (name: "start" | "due", value: unknown) => {
    const date = plannedDateOf(value);
    if (date === null && (value ?? null) !== null) partly(`Its ${name} date is invalid.`);
    return date;
  };
  card.report?.(skip);
  const names = unknown.map(({ name }) => name);
  const unassigned = names.length === 0 ? [] : [texts.people(names)];
  const text = textOf(card.description) ?? "";
  return {
    publicId: id,
    listPublicId: listId,
    title,
    description: descriptionOf([text, ...rest, ...unassigned, ...longTitles], partly),
    startDate: dateOf("start", card.startDate),
    dueDate: dateOf("due", card.dueDate),
    completedAt: since("completed", completed),
    archivedAt: since("archived", archived),
    ...timesOf(createdAt, updatedAt),
    labelPublicIds: labelIds,
    memberPublicIds: card.people.map(({ sourceId }) => sourceId),
    people: [...assignees, ...card.people],
    checklists,
    comments: sourceComments(card.comments, issues),
    attachments: card.attachments.flatMap((attachment) =>
      sourceAttachment(attachment, title, issues),
    ),
    fields: sourceValues(card.values ?? [], { fields, members }, skip),
    relations: card.relations ?? [],
    issues,
  };
}
