import { z } from "zod";
import { cardFields } from "../../../contract/fields/card.ts";
import { fieldsIn, storedShape, type Field } from "../../../contract/fields/field.ts";
import { nameOf, textOf, withoutAddresses } from "../../../platform/foreign-text.ts";
import { namesIn, unescapeFormula } from "../../format/csv-cells.ts";
import type { ReportIssue } from "../job/report.ts";
import { descriptionOf, membersOf, titleOf, type SkipPartly } from "../write/limits.ts";
import type { MappedMember, SourceCard, SourcePerson } from "../write/model.ts";
import { noTime } from "../write/no-time.ts";
import { sourceValues, type FieldContext } from "../write/source-fields.ts";
import type { Columns, Target } from "./columns.ts";
import type { CsvFields } from "./fields.ts";
import { dateIn, flagIn, type DateOrder } from "./values.ts";

/** How lines of a file become cards. */
export type LineMapping = {
  columns: Columns;
  /** The columns of custom fields, and these fields. */
  custom: CsvFields;
  fields: FieldContext["fields"];
  dateOrder: DateOrder | undefined;
  now: string;
};

/** The cell of a target in a line; "" without one. */
export const cellOf = (cells: string[], columns: Columns, target: Target): string =>
  unescapeFormula(textOf(cells[columns[target] ?? -1]) ?? "");

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

/** The people that a cell names. */
const peopleIn = (cell: string): SourcePerson[] =>
  namesIn(cell)
    .slice(0, maxNames)
    .map((name) => ({ sourceId: name.toLowerCase().slice(0, 255), name: withoutAddresses(name) }));

/** Converts a line; what is not imported of it is in its issues. */
export function mapLine(
  { id, listId, labelIds, line, cells, extra }: StagedLine,
  mapping: LineMapping,
  mapped: ReadonlyMap<string, MappedMember>,
): SourceCard {
  const { columns } = mapping;
  const issues: ReportIssue[] = [];
  const cell = (target: Target) => cellOf(cells, columns, target);
  const titled = { id, name: nameOf(cell("title")) };
  const { title, rest, skip } = titleOf(titled, "Untitled card", issues);
  const partly = (reason: string, detail?: string) =>
    skip("card", reason, { severity: "partial", detail: detail ?? `line ${line}` });
  const { people, members, unknown } = membersOf(peopleIn(cell("members")), mapped);
  for (const person of unknown) skip("cardMember", notMapped, person);
  const moment = (target: "archivedAt" | "createdAt" | "updatedAt") =>
    momentIn(cell(target), target, mapping, partly);
  const values = fieldsIn(cardFields, "csv").map(([, field]) => {
    const { column } = field;
    return [column, valueOf(cells, field, mapping, partly)];
  });
  const customValues = mapping.custom.valuesIn(cells, line, mapping.dateOrder);
  const custom = sourceValues(customValues, { fields: mapping.fields, mapped }, skip);
  if (extra > 0) partly("The line has more cells than the header: they were left out.");
  for (const target of ["labels", "members"] as const)
    if (namesIn(cell(target)).length > maxNames)
      partly(`The line has more than ${maxNames} ${target}: the rest was left out.`);
  const archivedAt = flagOr(
    cell("archivedAt"),
    "archived",
    () => moment("archivedAt"),
    mapping,
    partly,
  );
  const fields = Fields.parse({
    ...Object.fromEntries(values),
    archivedAt,
    title,
    description: descriptionOf([textOf(cell("description")) ?? "", ...rest], partly),
  });
  return {
    sourceId: id,
    listId,
    ...fields,
    createdAt: moment("createdAt"),
    updatedAt: moment("updatedAt"),
    labelIds,
    members,
    people,
    checklists: [],
    comments: [],
    attachments: [],
    fields: custom,
    issues,
  };
}

type Partly = (reason: string, detail?: string) => void;

/** The value of a field of cards; null without one. */
function valueOf(
  cells: string[],
  { column, kind, stored }: Field,
  mapping: LineMapping,
  partly: Partly,
): string | number | null | undefined {
  const at = Object.entries(mapping.columns).find(([target]) => target === column)?.[1];
  const cell = unescapeFormula(textOf(cells[at ?? -1]) ?? "");
  if (kind === "moment") return momentIn(cell, column, mapping, partly);
  if (kind === "flag")
    return flagOr(
      cell,
      "completed",
      () => momentIn(cell, column, mapping, partly),
      mapping,
      partly,
    );
  if (kind === "text") return cell;
  const text = cell.trim().toLowerCase();
  if (text === "") return undefined;
  const value = kind === "integer" ? Number(text) : text;
  if (stored?.safeParse(value).success === true) return value;
  partly(`The ${column} is not one of this service.`, cell.slice(0, 500));
  return undefined;
}

/** A date of a cell; reports one that is invalid. */
function momentIn(cell: string, column: string, { dateOrder }: LineMapping, partly: Partly) {
  if (cell.trim() === "") return null;
  const date = dateIn(cell, dateOrder);
  if (typeof date === "string") return date;
  const reason =
    date === null
      ? `The ${column} is not a date.`
      : `The day and the month of the ${column} are not clear: send dateOrder.`;
  partly(reason, cell.slice(0, 500));
  return null;
}

/** The time since when something is so; that of the import where a cell only says that it is. */
function flagOr(
  cell: string,
  what: "archived" | "completed",
  moment: () => string | null,
  { now }: LineMapping,
  partly: SkipPartly,
): string | null {
  const flag = cell.trim() === "" ? false : flagIn(cell);
  if (flag === null) return moment();
  if (flag) partly(noTime(what));
  return flag ? now : null;
}
