import { z } from "zod";
import { cardFields } from "../../../contract/fields/card.ts";
import { fieldsIn, storedShape, type Field } from "../../../contract/fields/field.ts";
import { nameOf, textOf, withoutAddresses } from "../../../platform/foreign-text.ts";
import { namesIn } from "../../format/csv-cells.ts";
import type { ReportIssue } from "../job/report.ts";
import { descriptionOf, limitedName, titleOf, type SkipOnCard } from "../write/limits.ts";
import { noTime } from "../write/no-time.ts";
import { sourceAttachment, sourceComments, sourceItem } from "../write/source-parts.ts";
import { timesOf, type Members, type SourceCard, type SourcePerson } from "../write/source.ts";
import { sourceValues, type FieldContext } from "../write/source-custom-fields.ts";
import { attachmentsIn, checklistsIn, commentsIn, type PartReading } from "./cell-parts.ts";
import { flagIn, isNothing, labelsIn, peopleNames, priorityIn } from "./cells.ts";
import type { FoundColumns } from "./columns.ts";
import { completionOf } from "./completion.ts";
import type { CsvCustomFields } from "./custom-fields.ts";
import { asMoment, offsetIn, type DateInCell, type DateOrder, type DateReading } from "./dates.ts";
import { LineCells } from "./line-cells.ts";
import type { Links } from "./links.ts";
import { datesOf, type Partly } from "./line-dates.ts";
import type { Profile } from "./profile.ts";
import { profileOf } from "./profiles.ts";
import { targets, type Target } from "./targets.ts";

/** How lines of a file become cards. */
export type LineMapping = FoundColumns & {
  header: readonly string[];
  /** The columns of custom fields, and these fields. */
  custom: CsvCustomFields;
  customFields: FieldContext["fields"];
  links: Links;
  /** The names of people by their ids at the program. */
  names: ReadonlyMap<string, string>;
  dateOrder: DateOrder | undefined;
  now: string;
};

/** A line that is staged: the ids of its card, list and labels, and its cells. */
export const StagedLine = z.object({
  id: z.string(),
  listId: z.string(),
  labelIds: z.array(z.string()),
  line: z.int(),
  cells: z.array(z.string()),
  /** How many cells have no column. */
  extra: z.int(),
});
export type StagedLine = z.infer<typeof StagedLine>;

/** The most labels and members of a line. */
export const maxNames = 100;

const notMapped = "The member is not mapped to one here yet: map the people of the import.";
const Fields = z.object(storedShape(cardFields));

/** The names of labels of a line. */
export const labelNames = (cells: LineCells, { isOurs, labels }: Profile): string[] => [
  ...new Set(
    cells
      .all("labels")
      .flatMap((cell) => (isOurs === true ? namesIn(cell) : labelsIn(cell, labels ?? "plain"))),
  ),
];

/** The names of the people of a line. WeKan writes names without spaces, with spaces between them. */
const memberNames = (cells: LineCells, { isOurs, labels }: Profile): string[] => {
  const namesOf = isOurs === true ? namesIn : peopleNames;
  const isSpaced = labels === "wekan";
  const all = cells.all("members").map((cell) => (isSpaced ? cell.replaceAll(/\s+/g, ", ") : cell));
  return [...new Set(all.flatMap(namesOf))];
};

/** How the dates of a line are read. */
export const readingOf = (
  cells: string[],
  { dateOrder, offset }: Pick<LineMapping, "dateOrder" | "offset">,
): DateReading => ({
  order: dateOrder,
  offset: offset === undefined ? undefined : offsetIn(cells[offset] ?? ""),
});

/** What a line is read with. */
type Line = {
  cells: LineCells;
  profile: Profile;
  mapping: LineMapping;
  dates: DateReading;
  partly: Partly;
};

/** Converts a line; what is not imported of it is in its issues. */
export function mapLine(staged: StagedLine, mapping: LineMapping, members: Members): SourceCard {
  const { id, listId, labelIds, line } = staged;
  const issues: ReportIssue[] = [];
  const cells = new LineCells(staged.cells, mapping.columns);
  const profile = profileOf(mapping.profile);
  const titled = { id, name: nameOf(cells.text("title")) };
  const { title, rest, skip } = titleOf(titled, "Untitled card", issues);
  const partly: Partly = (reason, detail) =>
    skip("card", reason, { severity: "partial", detail: detail ?? `line ${line}` });
  const dates = readingOf(staged.cells, mapping);
  const read: Line = { cells, profile, mapping, dates, partly };
  const people = peopleOf(read, members, skip);
  const custom = mapping.custom.valuesIn(staged.cells, line, dates);
  const texts = [textOf(cells.text("description")) ?? "", ...rest];
  const fields = Fields.parse({
    ...fieldsOf(read),
    archivedAt: archivedAtOf(read),
    title,
    description: descriptionOf(texts, partly),
  });
  reportRest(staged, read);
  return {
    publicId: id,
    listPublicId: listId,
    ...fields,
    ...timesOf(momentOf(read, "createdAt"), momentOf(read, "updatedAt")),
    labelPublicIds: labelIds,
    memberPublicIds: people.map(({ sourceId }) => sourceId),
    people,
    ...partsOf(id, title, read, members, issues),
    relations: mapping.links.relationsOf(id),
    fields: sourceValues(custom, { fields: mapping.customFields, members }, skip),
    issues,
  };
}

/** The people that a line names; those who are not mapped are reported. */
function peopleOf({ cells, profile }: Line, members: Members, skip: SkipOnCard): SourcePerson[] {
  const people = memberNames(cells, profile)
    .slice(0, maxNames)
    .map((name) => ({ sourceId: name.toLowerCase().slice(0, 255), name: withoutAddresses(name) }));
  for (const person of people)
    if (!members.has(person.sourceId)) skip("cardMember", notMapped, person);
  return people;
}

/** Reports what of a line has no place. */
function reportRest({ id, extra }: StagedLine, { cells, profile, mapping, partly }: Line): void {
  if (extra > 0) partly("The line has more cells than the header: they were left out.");
  const count = { labels: labelNames(cells, profile), members: memberNames(cells, profile) };
  for (const target of ["labels", "members"] as const)
    if (count[target].length > maxNames)
      partly(`The line has more than ${maxNames} ${target}: the rest was left out.`);
  for (const { reason, detail } of mapping.links.problemsOf(id)) partly(reason, detail);
  for (const target of ["title", "list"] as const) {
    const [, ...others] = cells.values(target);
    const first = cells.text(target).trim();
    for (const { at, cell } of others)
      if (cell.trim() !== first && !mapping.fields.some((field) => field.at === at))
        partly(
          `Another column has the ${target}.`,
          `${mapping.header[at] ?? ""}: ${cell.slice(0, 400)}`,
        );
  }
}

/** What hangs on a card: its checklists with the cards below it, comments and links. */
function partsOf(
  id: string,
  title: string,
  { cells, profile, mapping, dates }: Line,
  members: Members,
  issues: ReportIssue[],
): Pick<SourceCard, "checklists" | "comments" | "attachments"> {
  const report = (issue: ReportIssue) => void issues.push(issue);
  const reading: PartReading = { id, dates, nameOf: (name) => mapping.names.get(name) };
  const isChecked = mapping.columns.checked !== undefined;
  const checked = isChecked ? cells.all("checked") : [];
  const lists = [
    ...checklistsIn(cells.all("checklist"), checked, reading),
    ...mapping.links.checklistsOf(id),
  ];
  const comments = commentsIn(cells.all("comments"), profile.comments ?? "text", reading);
  const attachments = attachmentsIn(cells.all("attachments"), reading);
  return {
    checklists: lists.map((list) => ({
      publicId: list.id,
      name: limitedName("checklist", list, 255, "Checklist", report),
      items: list.items.map((item) => sourceItem(item, members, report)),
      ...timesOf(),
    })),
    comments: sourceComments(comments, issues),
    attachments: attachments.flatMap((one) => sourceAttachment(one, title, issues)),
  };
}

/** The values of the fields of cards. */
function fieldsOf(line: Line): Record<string, unknown> {
  const due = datesOf(line.cells, "dueDate", line.dates, line.mapping.header, line.partly);
  const start = datesOf(line.cells, "startDate", line.dates, line.mapping.header, line.partly);
  const planned = {
    ...plannedAs("dueDate", "isDueAllDay", due?.end ?? null),
    ...plannedAs("startDate", "isStartAllDay", start?.start ?? start?.end ?? due?.start ?? null),
  };
  const others = fieldsIn(cardFields, "csv").filter(([, { column }]) => !(column in planned));
  return {
    ...planned,
    ...Object.fromEntries(others.map(([, field]) => [field.column, valueOf(field, line)])),
  };
}

/** A date of a card, and whether it is a whole day. */
const plannedAs = (column: string, allDay: string, date: DateInCell | null) => ({
  [column]: date === null ? null : asMoment(date),
  [allDay]: date !== null && "day" in date,
});

/** The value of another field of cards; undefined without one. */
function valueOf({ column, kind, stored }: Field, line: Line): unknown {
  const { cells, profile, partly } = line;
  if (kind === "flag") return completedAtOf(line);
  const target = targets.find((name) => name === column);
  if (target === undefined) return undefined;
  if (kind === "text") return cells.text(target);
  if (kind === "moment") return momentOf(line, target);
  const [{ cell } = { cell: "" }] = cells.values(target);
  const text = cell.trim().toLowerCase();
  if (text === "") return undefined;
  const value = kind === "integer" ? Number(text) : priorityIn(text, profile.priorities);
  if (stored?.safeParse(value ?? text).success === true) return value ?? text;
  partly(`The ${column} is not one of this service.`, cell.slice(0, 500));
  return undefined;
}

/** The time in the columns of a target. */
function momentOf({ cells, dates, mapping, partly }: Line, target: Target): string | null {
  const found = datesOf(cells, target, dates, mapping.header, partly);
  return found === null ? null : asMoment(found.end);
}

/** When work was finished; the time of the import where cells only say that it is. */
function completedAtOf({ cells, profile, dates, mapping, partly }: Line): string | null {
  const { is, at, problem } = completionOf(cells, profile, dates);
  if (problem !== undefined && !is) {
    const reason =
      problem.why === "invalid"
        ? "The completedAt is not a date."
        : "The day and the month of the completedAt are not clear: send dateOrder.";
    partly(reason, problem.cell.slice(0, 500));
  }
  if (!is || at !== null) return at;
  partly(noTime("completed"));
  return mapping.now;
}

/** When a card was archived; the time of the import where a cell only says that it is. */
function archivedAtOf(line: Line): string | null {
  const flags = line.cells.all("archivedAt").flatMap((cell) => {
    const is = isNothing(cell) ? null : flagIn(cell);
    return is === null ? [] : [is];
  });
  const [is] = flags;
  if (is === undefined) return momentOf(line, "archivedAt");
  if (is) line.partly(noTime("archived"));
  return is ? line.mapping.now : null;
}
