import type { ReportIssue } from "../job/report.ts";
import { noTime } from "../write/no-time.ts";
import { descriptionOf, membersOf, titleOf, type SkipOnCard } from "../write/limits.ts";
import { addressOf, momentOf, shortened, textOf } from "../../../platform/foreign-text.ts";
import type { MappedMember, SourceAttachment, SourceCard, SourcePerson } from "../write/model.ts";
import type { FieldContext } from "../write/source-fields.ts";
import { mapValues } from "./fields.ts";
import { labelsOf, listOf, missingOf, notReturned, type Columns } from "./map-project.ts";
import type { ProjectHead, ProjectItem } from "../../integrations/github/project-items.ts";

/** What an item is converted with. */
export type MapItemContext = FieldContext & {
  head: ProjectHead;
  columns: Columns;
  /** The members who have connected an account at GitHub or are mapped to one, by login. */
  byLogin: ReadonlyMap<string, MappedMember>;
};

type Content = NonNullable<ProjectItem["content"]>;

/** Converts an issue, pull request or draft; null for an item that the token may not read. */
export function mapItem(item: ProjectItem, context: MapItemContext): SourceCard | null {
  const { content } = item;
  if (content?.title === undefined || content.title === null) return null;
  const issues: ReportIssue[] = [];
  const titled = { id: item.id, name: content.title };
  const { title, rest, skip, partly } = titleOf(titled, "Untitled item", issues);
  const { members, people, unknown } = membersOf(assigneesOf(content), context.byLogin);
  for (const { name: login } of unknown) {
    const reason = "No member here has connected it: the card's description names it.";
    skip("cardMember", reason, { sourceId: login, name: login });
  }
  const { dueDate, ...values } = mapValues(item, context, skip);
  const { milestone } = content;
  if (milestone?.title)
    skip("milestone", "Milestones are not supported.", { detail: milestone.title.slice(0, 255) });
  skipMissing(item, content, skip);
  const count = content.comments?.totalCount ?? 0;
  if (count > 0) skip("comment", "Comments stay at GitHub; the card links there.", { count });
  const isClosed = content.state === "CLOSED" || content.state === "MERGED";
  const completed = momentOf(content.mergedAt) ?? momentOf(content.closedAt);
  if (isClosed && completed === null) partly(noTime("completed"));
  // GitHub has no time at which an item was archived.
  if (item.isArchived) partly(noTime("archived"));
  const logins = unknown.map((person) => `@${person.name}`).join(", ");
  const atGitHub = logins === "" ? [] : [`Assignees at GitHub: ${logins}`];
  const description = descriptionOf([textOf(content.body) ?? "", ...rest, ...atGitHub], partly);
  return {
    sourceId: item.id,
    listId: listOf(context.head, context.columns, item),
    title,
    description,
    ...values,
    dueDate: dueDate ?? momentOf(milestone?.dueOn),
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
    ["cardField", fieldValues],
  ] as const;
  for (const [kind, connection] of connections) {
    const count = missingOf(connection);
    if (count > 0) skip(kind, notReturned, { count });
  }
}

function assigneesOf({ assignees }: Content): SourcePerson[] {
  const logins = new Set((assignees?.nodes ?? []).flatMap((assignee) => assignee?.login ?? []));
  return [...logins].map((name) => ({ sourceId: name.toLowerCase(), name }));
}
