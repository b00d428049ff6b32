import type { ReportIssue } from "../job/report.ts";
import { noTime } from "../write/no-time.ts";
import { descriptionOf, membersOf, titleOf, type SkipOnCard } from "../write/limits.ts";
import { addressOf, momentOf, nameOf, shortened, textOf } from "../../../platform/foreign-text.ts";
import type { MappedMember, SourceAttachment, SourceCard, SourcePerson } from "../write/model.ts";
import { labelsOf, listOf, missingOf, notReturned, type Columns } from "./map-project.ts";
import type { ProjectHead, ProjectItem } from "../../integrations/github/project-items.ts";

/** What an item is converted with. */
export type MapItemContext = {
  head: ProjectHead;
  columns: Columns;
  /** The members who have connected an account at GitHub or are mapped to one, by login. */
  byLogin: ReadonlyMap<string, MappedMember>;
};

type Content = NonNullable<ProjectItem["content"]>;

const dueNames = /^(due|due date|due on|deadline|target|target date|end|end date)$/i;
const startNames = /^(start|start date|start on|begin|begins)$/i;

/** The types of values that the content of an item has too. */
const readElsewhere = /^ProjectV2ItemField(User|Label|Milestone|Repository)Value$/;
const affixes = /^ProjectV2ItemField|Value$/g;
const unsupported = "The field is not supported.";

/** Converts an issue, pull request or draft; null for an item that the token may not read. */
export function mapItem(item: ProjectItem, context: MapItemContext): SourceCard | null {
  const { content } = item;
  if (content?.title === undefined || content.title === null) return null;
  const issues: ReportIssue[] = [];
  const named = { id: item.id, name: content.title };
  const { title, rest, skip, partly } = titleOf(named, "Untitled item", issues);
  const { members, people, unknown } = membersOf(assigneesOf(content), context.byLogin);
  for (const { name: login } of unknown) {
    const reason = "No member here has connected it: the card's description names it.";
    skip("cardMember", reason, { sourceId: login, name: login });
  }
  const dates = datesOf(item, context, skip);
  skipMissing(item, content, skip);
  const count = content.comments?.totalCount ?? 0;
  if (count > 0) skip("comment", "Comments stay at GitHub; the card links there.", { count });
  const isClosed = content.state === "CLOSED" || content.state === "MERGED";
  const completed = momentOf(content.mergedAt) ?? momentOf(content.closedAt);
  if (isClosed && completed === null) partly(noTime("completed"));
  // GitHub has no time at which an item was archived.
  if (item.isArchived) partly(noTime("archived"));
  const logins = unknown.map((one) => `@${one.name}`).join(", ");
  const atGitHub = logins === "" ? [] : [`Assignees at GitHub: ${logins}`];
  const description = descriptionOf([textOf(content.body) ?? "", ...rest, ...atGitHub], partly);
  return {
    sourceId: item.id,
    listId: listOf(context.head, context.columns, item),
    title,
    description,
    ...dates,
    completedAt: isClosed ? (completed ?? "now") : null,
    archivedAt: item.isArchived ? "now" : null,
    createdAt: momentOf(content.createdAt) ?? momentOf(item.createdAt),
    labelIds: labelsOf(context.head, item).map(({ sourceId }) => sourceId),
    members,
    people,
    checklists: [],
    comments: [],
    attachments: linkTo(item, content),
    issues,
  };
}

/** A link to the issue or pull request at GitHub. */
function linkTo({ id }: ProjectItem, content: Content): SourceAttachment[] {
  const url = addressOf(content.url);
  const name = `${content.repository?.nameWithOwner ?? "GitHub"}#${content.number ?? ""}`;
  const link = { sourceId: `${id}/link`, filename: shortened(name, 255), file: null };
  return url === null ? [] : [{ ...link, url }];
}

/** Reports what GitHub did not return of an item. */
function skipMissing({ fieldValues }: ProjectItem, content: Content, skip: SkipOnCard): void {
  const connections = [
    ["cardLabel", content.labels],
    ["cardMember", content.assignees],
    ["fieldValue", fieldValues],
  ] as const;
  for (const [kind, connection] of connections) {
    const count = missingOf(connection);
    if (count > 0) skip(kind, notReturned, { count });
  }
}

function assigneesOf({ assignees }: Content): SourcePerson[] {
  const logins = new Set((assignees?.nodes ?? []).flatMap((one) => one?.login ?? []));
  return [...logins].map((name) => ({ sourceId: name.toLowerCase(), name }));
}

/** The dates from fields with such names and from the milestone. Other values are skipped. */
function datesOf(
  { fieldValues, content }: ProjectItem,
  { columns }: MapItemContext,
  skip: SkipOnCard,
): Pick<SourceCard, "startDate" | "dueDate"> {
  const dates: Pick<SourceCard, "startDate" | "dueDate"> = { startDate: null, dueDate: null };
  for (const value of fieldValues?.nodes ?? []) {
    const field = nameOf(value?.field?.name);
    if (value && field === null && !readElsewhere.test(value.__typename))
      skip("fieldValue", unsupported, { detail: value.__typename.replace(affixes, "") });
    if (!value || field === null || value.field?.id === columns.fieldId || /^title$/i.test(field))
      continue;
    const date = momentOf(value.date);
    if (date !== null && dueNames.test(field) && dates.dueDate === null) dates.dueDate = date;
    else if (date !== null && startNames.test(field) && dates.startDate === null)
      dates.startDate = date;
    else {
      const { name, date: day, text, title, number } = value;
      const shown = name ?? day ?? text ?? title ?? String(number ?? "");
      const detail = `${field}: ${shown.slice(0, 500)}`;
      skip("fieldValue", unsupported, { detail });
    }
  }
  const { title, dueOn } = content?.milestone ?? {};
  dates.dueDate ??= momentOf(dueOn);
  if (title) skip("milestone", "Milestones are not supported.", { detail: title.slice(0, 255) });
  return dates;
}
