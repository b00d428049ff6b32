import type { ProjectHead, ProjectItem } from "../../integrations/github/project-items.ts";
import { nameOf, plannedDateOf } from "../../../platform/foreign-text.ts";
import type { Skip } from "../write/limits.ts";
import type { SourceField } from "../write/source.ts";
import { sourceField, type ValueInput } from "../write/source-custom-fields.ts";

/** The colours of options in GitHub's projects. */
const colours: ReadonlyMap<string, string> = new Map(
  Object.entries({
    GRAY: "#59636e",
    BLUE: "#0969da",
    GREEN: "#1a7f37",
    YELLOW: "#9a6700",
    ORANGE: "#bc4c00",
    RED: "#d1242f",
    PINK: "#bf3989",
    PURPLE: "#8250df",
  }),
);

/** The field whose options are the columns of a project. */
type Columns = { fieldId: string | null };

/** The types of fields here of the types at GitHub. Others, such as labels, are read elsewhere. */
const types: ReadonlyMap<string, SourceField["type"]> = new Map([
  ["TEXT", "text"],
  ["NUMBER", "number"],
  ["DATE", "date"],
  ["SINGLE_SELECT", "select"],
  // Of an iteration, its title.
  ["ITERATION", "text"],
]);

const dateNames = {
  dueDate: /^(due|due date|due on|deadline|target|target date|end|end date)$/i,
  startDate: /^(start|start date|start on|begin|begins)$/i,
};
type DateName = keyof typeof dateNames;
const dates: DateName[] = ["dueDate", "startDate"];

/** The id of an option: GitHub gives options of several fields the same id. */
const idOf = (fieldId: string, optionId: string) => `${fieldId}/${optionId}`;

/** The dates of cards by the ids of the fields that have them: the first with such a name. */
function dateFields({ fields }: ProjectHead): Map<string, DateName> {
  const candidates = (fields?.nodes ?? []).filter((field) => field?.dataType === "DATE");
  return new Map(
    dates.flatMap((date): [string, DateName][] => {
      const first = candidates.find((field) => dateNames[date].test(field?.name ?? ""));
      return first?.id === undefined ? [] : [[first.id, date]];
    }),
  );
}

/** Converts the fields of a project that are neither its columns nor the dates of its cards. */
export function mapCustomFields(
  head: ProjectHead,
  { fieldId }: Columns,
  skip: Skip,
): SourceField[] {
  const dateNameOf = dateFields(head);
  return (head.fields?.nodes ?? []).flatMap((field) => {
    const type = types.get(field?.dataType ?? "");
    if (!field || type === undefined || field.id === fieldId || dateNameOf.has(field.id)) return [];
    const { id, name } = field;
    const options = (field.options ?? []).map((option) => {
      const colourCode = colours.get(option.color ?? "") ?? null;
      return { id: idOf(id, option.id), name: option.name, colourCode };
    });
    return sourceField({ id, name, type, isShownOnCard: true, options }, skip);
  });
}

/** The types of values that the content of an item has too. */
const readElsewhere = /^ProjectV2ItemField(User|Label|Milestone|Repository)Value$/;
const affixes = /^ProjectV2ItemField|Value$/g;

type Context = { head: ProjectHead; columns: Columns };
type FieldValue = NonNullable<
  NonNullable<NonNullable<ProjectItem["fieldValues"]>["nodes"]>[number]
>;

/** The dates and the other values of an item. Fields with other such names stand in for the first. */
export function valuesOf({ fieldValues }: ProjectItem, context: Context) {
  const dateValues: { [Name in DateName]: string | null } = { startDate: null, dueDate: null };
  const dateNameOf = dateFields(context.head);
  const values: ValueInput[] = [];
  const unsupported: string[] = [];
  for (const value of fieldValues?.nodes ?? []) {
    const fieldId = value?.field?.id ?? null;
    const fieldName = nameOf(value?.field?.name);
    if (value && fieldName === null && !readElsewhere.test(value.__typename))
      unsupported.push(value.__typename.replace(affixes, ""));
    if (!value || fieldName === null || fieldId === null) continue;
    if (fieldId === context.columns.fieldId || /^title$/i.test(fieldName)) continue;
    const date = plannedDateOf(value.date);
    const dateName = dateNameOf.get(fieldId);
    if (dateName !== undefined && date !== null) dateValues[dateName] = date;
    else values.push({ fieldId, fieldName, content: contentOf(fieldId, value), shown: value.name });
    for (const name of dates)
      if (dateName === undefined && dateNames[name].test(fieldName)) dateValues[name] ??= date;
  }
  return { ...dateValues, values, unsupported };
}

const contentOf = (fieldId: string, { optionId, date, text, number, title }: FieldValue) =>
  (optionId ?? null) === null ? (date ?? text ?? number ?? title) : idOf(fieldId, String(optionId));
