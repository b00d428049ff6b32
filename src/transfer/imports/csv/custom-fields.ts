import { z } from "zod";
import { CustomFieldType, maxOptions } from "../../../contract/resources/custom-fields.ts";
import { defaultLimits } from "../../../contract/limits.ts";
import { fieldInColumn } from "../../../domain/parts/custom-field-columns.ts";
import { nameOf, shortened, textOf } from "../../../platform/foreign-text.ts";
import { unescapeFormula } from "../../format/csv-cells.ts";
import type { Skip } from "../write/limits.ts";
import type { SourceField } from "../write/source.ts";
import { sourceField, type ValueInput } from "../write/source-custom-fields.ts";
import { flagIn, isNothing, listIn } from "./cells.ts";
import { asPlannedDate, datesIn, type DateReading } from "./dates.ts";
import { idOf } from "./ids.ts";
import { DecimalEvidence, numberIn } from "./numbers.ts";

const maxFields = defaultLimits.fields;
const example = { Effort: "number", Size: "select" };

/** The types of the columns that become custom fields, by their names. */
export const FieldTypes = z
  .record(z.string().max(500), CustomFieldType)
  .refine((types) => Object.keys(types).length <= maxFields, {
    error: `A board has at most ${maxFields} custom fields`,
  });
export type FieldTypes = z.infer<typeof FieldTypes>;

/** The same in a query, as JSON. */
export const FieldTypesText = z
  .string()
  .max(50_000)
  .meta({ examples: [JSON.stringify(example)] })
  .transform((text, ctx) => {
    try {
      const value: unknown = JSON.parse(text);
      return value;
    } catch {
      ctx.addIssue({ code: "custom", message: `Must be JSON, such as ${JSON.stringify(example)}` });
      return z.NEVER;
    }
  })
  .pipe(FieldTypes)
  .optional()
  .meta({
    description:
      "The columns that become custom fields, with the types of these fields, as a JSON object. " +
      "Columns of a CSV export of this service need none: their names have the types.",
  });

/** A column that becomes a custom field. */
export type FieldColumn = {
  at: number;
  name: string;
  type: SourceField["type"];
  /** Whether the profile of a program says so, and nobody else: it needs a value to become one. */
  ofProfile?: boolean;
};

const fieldIn = (header: string) => {
  const [, name, type] = fieldInColumn.exec(header) ?? [];
  const fieldType = CustomFieldType.safeParse(type).data;
  return name === undefined || fieldType === undefined ? null : { name, type: fieldType };
};

/** The columns of custom fields: those of our own CSV, and those with a type. */
export function fieldColumnsIn(
  header: string[],
  types: FieldTypes = {},
  columnOf: (name: string) => number,
): FieldColumn[] {
  const columns = new Map<number, FieldColumn>();
  for (const [at, name] of header.entries()) {
    const exportedField = fieldIn(name);
    if (exportedField !== null) columns.set(at, { at, ...exportedField });
  }
  for (const [column, type] of Object.entries(types)) {
    const at = columnOf(column);
    const name = header[at] ?? column;
    if (at !== -1) columns.set(at, { at, name: fieldIn(name)?.name ?? name, type });
  }
  return [...columns.values()].toSorted((one, other) => one.at - other.at);
}

type Column = FieldColumn & {
  id: string;
  options: Map<string, string>;
  decimals: DecimalEvidence;
  isUsed: boolean;
};

/** The custom fields of a file. Their options are the names in its lines. */
export class CsvCustomFields {
  readonly #columns: Column[];

  constructor(boardId: string, columns: FieldColumn[]) {
    const countOf = new Map<string, number>();
    this.#columns = columns.map((column) => {
      const id = idOf(boardId, "field", column.type, column.name);
      const nth = (countOf.get(id) ?? 0) + 1;
      countOf.set(id, nth);
      return {
        ...column,
        id: nth === 1 ? id : idOf(id, String(nth)),
        options: new Map(),
        decimals: new DecimalEvidence(),
        isUsed: column.ofProfile !== true,
      };
    });
  }

  /** Records the options that a line names, and how it writes numbers. */
  take(cells: string[]): void {
    for (const column of this.#columns) {
      const text = cellAt(cells, column);
      if (text !== "") column.isUsed = true;
      if (column.type === "number") column.decimals.take(text);
      for (const name of optionsIn(column, text)) {
        // The report has the first that are too many; more would take memory from other requests.
        if (column.options.size < 2 * maxOptions)
          column.options.set(optionId(column, name), shortened(name, 500));
      }
    }
  }

  /** The fields, when all lines are taken. */
  source(skip: Skip): SourceField[] {
    const used = this.#columns.filter(({ isUsed }) => isUsed);
    return used.map(({ id, name, type, options }) =>
      sourceField(
        {
          id,
          name,
          type,
          isShownOnCard: true,
          options: [...options].map(([option, text]) => {
            return { id: option, name: text, colourCode: null };
          }),
        },
        skip,
      ),
    );
  }

  /** The values in the cells of a line. */
  valuesIn(cells: string[], line: number, reading: DateReading): ValueInput[] {
    return this.#columns.flatMap((column) => {
      const { id: fieldId, name: fieldName } = column;
      const cell = cellAt(cells, column);
      if (cell === "") return [];
      const dates = column.type === "date" ? datesIn(cell, reading) : null;
      const isDate = dates !== null && typeof dates === "object";
      const where = dates === "unclear" ? `line ${line}: send dateOrder` : `line ${line}`;
      const content = isDate ? (asPlannedDate(dates.end) ?? cell) : contentOf(column, cell);
      return { fieldId, fieldName, content, shown: cell, where };
    });
  }
}

/** The cell of a field in a line; "" without a value. */
function cellAt(cells: string[], { at, type, ofProfile }: FieldColumn): string {
  const cell = unescapeFormula(textOf(cells[at]) ?? "");
  if (isNothing(cell) && (type === "number" || type === "date" || ofProfile === true)) return "";
  return type === "text" ? cell : cell.trim();
}

const optionId = ({ id }: Column, name: string) => idOf(id, "option", name);

/** The names of options in a cell. */
function optionsIn({ type }: FieldColumn, cell: string): string[] {
  if (type === "multiSelect") return listIn(cell).slice(0, maxOptions);
  return type === "select" && cell !== "" ? [nameOf(cell) ?? cell] : [];
}

function contentOf(column: Column, cell: string): unknown {
  if (column.type === "checkbox") return flagIn(cell) ?? cell;
  if (column.type === "number") return numberIn(cell, column.decimals.sign) ?? cell;
  const options = optionsIn(column, cell);
  return options.length === 0 ? cell : options.map((name) => optionId(column, name));
}
