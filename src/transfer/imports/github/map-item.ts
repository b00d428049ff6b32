import { addressOf, dayOfMoment, momentOf, shortened } from "../../../platform/foreign-text.ts";
import { sourceCard } from "../write/host-card.ts";
import type { SkipOnCard } from "../write/limits.ts";
import type { FieldContext } from "../write/source-custom-fields.ts";
import type { Attachment } from "../write/source-parts.ts";
import type { Members, SourceCard, SourcePerson } from "../write/source.ts";
import { valuesOf } from "./custom-fields.ts";
import type { ItemRelations } from "./item-relations.ts";
import { labelsOf, listOf, missingOf, notReturned, type Columns } from "./map-project.ts";
import type { ProjectHead, ProjectItem } from "../../integrations/github/project-items.ts";

/** What an item is converted with. */
export type MapItemContext = FieldContext & {
  head: ProjectHead;
  columns: Columns;
  /** The members who have connected an account at GitHub or are mapped to one, by login. */
  members: Members;
  relations: ItemRelations;
};

type Content = NonNullable<ProjectItem["content"]>;

/** What is said of items: their assignees are named by login. */
const texts = {
  untitled: "Untitled item",
  notMapped: "No member here has connected it: the card's description names it.",
  people: (logins: string[]) =>
    `Assignees at GitHub: ${logins.map((login) => `@${login}`).join(", ")}`,
};

/** Converts an issue, pull request or draft; null for an item that the token may not read. */
export function mapItem(item: ProjectItem, context: MapItemContext): SourceCard | null {
  const { content } = item;
  if (content?.title === undefined || content.title === null) return null;
  const { milestone } = content;
  const { startDate, dueDate, values, unsupported } = valuesOf(item, context);
  return sourceCard(
    {
      id: item.id,
      listId: listOf(context.head, context.columns, item),
      title: content.title,
      description: content.body,
      startDate,
      // The due date of a milestone is a day, which GitHub writes as a time.
      dueDate: dueDate ?? dayOfMoment(milestone?.dueOn),
      completed: {
        is: content.state === "CLOSED" || content.state === "MERGED",
        since: momentOf(content.mergedAt) ?? momentOf(content.closedAt),
      },
      // GitHub has no time at which an item was archived.
      archived: { is: item.isArchived, since: null },
      createdAt: momentOf(content.createdAt) ?? momentOf(item.createdAt),
      // A card has what the issue says, and what the project says of it.
      updatedAt: laterOf(momentOf(content.updatedAt), momentOf(item.updatedAt)),
      labelIds: labelsOf(context.head, item).map(({ publicId }) => publicId),
      people: assigneesOf(content),
      checklists: [],
      comments: [],
      attachments: linkTo(item, content),
      values,
      relations: context.relations.of(item.id),
      report(skip) {
        for (const detail of unsupported)
          skip("cardField", "The field is not supported.", { detail });
        const detail = milestone?.title?.slice(0, 255);
        if (detail) skip("milestone", "Milestones are not supported.", { detail });
        skipMissing(item, content, skip);
        const count = content.comments?.totalCount ?? 0;
        if (count > 0) skip("comment", "Comments stay at GitHub; the card links there.", { count });
      },
    },
    texts,
    context,
  );
}

/** The later of two times in ISO 8601. */
const laterOf = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other > one) ? other : one;

/** A link to the issue or pull request at GitHub. */
function linkTo({ id }: ProjectItem, content: Content): Attachment[] {
  const url = addressOf(content.url);
  const name = `${content.repository?.nameWithOwner ?? "GitHub"}#${content.number ?? ""}`;
  const link = { id: `${id}/link`, name: shortened(name, 255), fileName: null };
  return url === null ? [] : [{ ...link, url, createdAt: null, isUpload: false }];
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
  if (missingOf(content.blockedBy) > 0)
    skip("card", "GitHub did not return all issues that block it.", { severity: "partial" });
}

function assigneesOf({ assignees }: Content): SourcePerson[] {
  const logins = new Set((assignees?.nodes ?? []).flatMap((assignee) => assignee?.login ?? []));
  return [...logins].map((name) => ({ sourceId: name.toLowerCase(), name }));
}
