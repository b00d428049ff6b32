import { addressOf, momentOf, nameOf, shortened, textOf } from "../clean.ts";
import type { SourceCard } from "../model.ts";
import type { Person } from "../people.ts";
import type { Loss } from "../report.ts";
import { labelsOf, listOf, type Columns } from "./map.ts";
import type { ProjectHead, ProjectItem } from "./questions.ts";

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
  if (content?.title === undefined || content.title === null) return null;
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
    if (!value || field === null || value.field?.id === columns.fieldId || /^title$/i.test(field))
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
  if (title) lose("milestone", `There are no milestones here: ${title.slice(0, 255)}`);
  return dates;
}
