import { addressOf, momentOf, nameOf, shortened, textOf } from "../clean.ts";
import type { SourceBoard, SourceCard, SourceLabel } from "../model.ts";
import type { Person } from "../people.ts";
import type { Loss } from "../tally.ts";
import type { ProjectHead, ProjectItem } from "./questions.ts";

/** What the items of a project become lists by: a field of a single choice, and its options. */
export type Columns = { fieldId: string | null; lists: { id: string; name: string }[] };

/** The list of a project's items that have no status. */
export const noStatus = (project: { id: string }) => `${project.id}/none`;

/** The columns of a project: those of its first board, else those of its status. */
export function columnsOf({ id, fields, views }: ProjectHead): Columns {
  const choices = (fields?.nodes ?? []).filter((field) => field?.options != null);
  const board = views?.nodes?.find((view) => view?.layout === "BOARD_LAYOUT");
  const grouped = board?.verticalGroupByFields?.nodes?.[0]?.id;
  const field =
    choices.find((one) => one?.id === grouped) ??
    choices.find((one) => /^status$/i.test(one?.name ?? ""));
  const options = field?.options ?? [];
  const lists = options.map((one) => ({
    id: `${id}/${one.id}`,
    name: shortened(nameOf(one.name) ?? "Untitled list", 255),
  }));
  return { fieldId: field?.id ?? null, lists };
}

/** The list that an item lies in, by its id at the source. */
export function listOf(
  project: ProjectHead,
  { fieldId, lists }: Columns,
  item: ProjectItem,
): string {
  const value = item.fieldValues?.nodes?.find((one) => one?.optionId && one.field?.id === fieldId);
  const id = `${project.id}/${value?.optionId}`;
  return lists.some((one) => one.id === id) ? id : noStatus(project);
}

/** A project in our terms; labels come from its items. */
export function mapProject(
  head: ProjectHead,
  { lists }: Columns,
  { labels, loose }: { labels: SourceLabel[]; loose: boolean },
): SourceBoard {
  const description = [textOf(head.shortDescription), textOf(head.readme)]
    .filter(Boolean)
    .join("\n\n");
  const made = [...(loose ? [{ id: noStatus(head), name: "No status" }] : []), ...lists];
  return {
    sourceId: head.id,
    name: shortened(nameOf(head.title) ?? "Untitled project", 255),
    description: shortened(description, 10_000) || null,
    isArchived: head.closed,
    createdAt: momentOf(head.createdAt),
    lists: made.map(({ id: sourceId, name }) => ({
      sourceId,
      name,
      isArchived: false,
      createdAt: null,
    })),
    labels,
  };
}

/** The labels of an item: those of one name are the same, whichever repository they are from. */
export function labelsOf({ id }: ProjectHead, item: ProjectItem): SourceLabel[] {
  const labels = (item.content?.labels?.nodes ?? []).flatMap((label): SourceLabel[] => {
    const name = nameOf(label?.name);
    if (name === null) return [];
    const colourCode = /^[0-9a-f]{6}$/i.test(label?.color ?? "") ? `#${label?.color}` : null;
    return [
      {
        sourceId: `${id}/label/${name.toLowerCase()}`,
        name: shortened(name, 36).trim(),
        colourCode,
      },
    ];
  });
  return [
    ...new Map(labels.toReversed().map((label) => [label.sourceId, label])).values(),
  ].toReversed();
}

/** What an item is read with. */
export type Around = {
  head: ProjectHead;
  columns: Columns;
  byLogin: (login: string) => Person | null;
};

const isDue = /^(due|due date|due on|deadline|target|target date|end|end date)$/i;
const isStart = /^(start|start date|start on|begin|begins)$/i;

/** An item in our terms: an issue, a pull request or a draft; null for one that the token may not see. */
export function mapItem(item: ProjectItem, around: Around): SourceCard | null {
  const { content } = item;
  if (content == null || content.title == null) return null;
  const whole = nameOf(content.title) ?? "Untitled item";
  const title = shortened(whole, 2_000).trim();
  const lost: Loss[] = [];
  const lose = (kind: string, reason: string, more: Partial<Loss> = {}) =>
    lost.push({ kind, sourceId: item.id, name: title.slice(0, 255), reason, ...more });
  const { people, unknown } = assignees(content, around);
  for (const login of unknown) {
    const reason = `Nobody here has connected that account: “${title.slice(0, 255)}” names it in its description.`;
    lost.push({ kind: "cardMember", sourceId: login, name: login, reason });
  }
  const dates = datesOf(item, around, lose);
  const said = content.comments?.totalCount ?? 0;
  if (said > 0) lose("comment", "Comments stay at GitHub; a link leads there.", { count: said });
  const added = [
    ...(title === whole ? [] : [`The whole title: ${whole}`]),
    ...(unknown.length === 0
      ? []
      : [`Assignees at GitHub: ${unknown.map((one) => `@${one}`).join(", ")}`]),
  ];
  const text = [textOf(content.body) ?? "", ...added].filter((one) => one !== "").join("\n\n");
  if (shortened(text, 100_000) !== text) {
    lose("card", "A description has at most 100,000 characters here: it was cut.", {
      partly: true,
    });
  }
  const url = addressOf(content.url);
  const name = `${content.repository?.nameWithOwner ?? "GitHub"}#${content.number ?? ""}`;
  const link = { sourceId: `${item.id}/link`, filename: shortened(name, 255), createdAt: null };
  return {
    sourceId: item.id,
    listId: listOf(around.head, around.columns, item),
    title,
    description: shortened(text, 100_000) || null,
    ...dates,
    isComplete: content.state === "CLOSED" || content.state === "MERGED",
    isArchived: item.isArchived,
    createdAt: momentOf(content.createdAt) ?? momentOf(item.createdAt),
    labelIds: labelsOf(around.head, item).map(({ sourceId }) => sourceId),
    people,
    checklists: [],
    comments: [],
    attachments: url === null ? [] : [{ ...link, url }],
    lost,
  };
}

function assignees({ assignees: all }: NonNullable<ProjectItem["content"]>, { byLogin }: Around) {
  const people = new Map<bigint, Person>();
  const unknown: string[] = [];
  for (const login of new Set((all?.nodes ?? []).flatMap((one) => one?.login ?? []))) {
    const person = byLogin(login);
    if (person === null) unknown.push(login);
    else people.set(person.id, person);
  }
  return { people: [...people.values()], unknown };
}

/** The dates of an item's fields and its milestone as far as one is named so; every other value is told as left out. */
function datesOf(
  { fieldValues, content }: ProjectItem,
  { columns }: Around,
  lose: (kind: string, reason: string) => void,
): Pick<SourceCard, "startDate" | "dueDate"> {
  const dates: Pick<SourceCard, "startDate" | "dueDate"> = { startDate: null, dueDate: null };
  for (const value of fieldValues?.nodes ?? []) {
    const field = nameOf(value?.field?.name);
    if (
      value == null ||
      field === null ||
      value.field?.id === columns.fieldId ||
      /^title$/i.test(field)
    )
      continue;
    const date = momentOf(value.date);
    if (date !== null && isDue.test(field) && dates.dueDate === null) dates.dueDate = date;
    else if (date !== null && isStart.test(field) && dates.startDate === null)
      dates.startDate = date;
    else {
      const shown =
        value.name ?? value.date ?? value.text ?? value.title ?? String(value.number ?? "");
      lose("fieldValue", `There is no such field here: ${field}: ${shown.slice(0, 500)}`);
    }
  }
  const { title, dueOn } = content?.milestone ?? {};
  const due = momentOf(dueOn);
  if (due !== null && dates.dueDate === null) dates.dueDate = due;
  if (title != null) lose("milestone", `There are no milestones here: ${title.slice(0, 255)}`);
  return dates;
}
