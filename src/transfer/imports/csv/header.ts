import { z } from "zod";
import { badRequest } from "../../../platform/errors.ts";
import { unescapeFormula } from "../../format/csv-cells.ts";
import { columnsIn, type ColumnOptions } from "./columns.ts";
import { datesIn } from "./dates.ts";
import { maxColumns, type CsvLine } from "./lines.ts";
import { profileIn } from "./profiles.ts";

/** Which line names the columns: none, or one by its number. */
export const Header = z
  .string()
  .regex(/^(?:none|[1-9][0-9]{0,2}|1000)$/, { error: "Must be `none`, or a number of 1 to 1000" })
  .optional()
  .meta({
    description:
      "The number of the line that names the columns, or `none`: then columns are named `1`, `2` and " +
      "so on. Without it, it is found.",
    examples: ["none"],
  });

/** How the header of a file is found. */
export type HeaderOptions = ColumnOptions & { header?: z.infer<typeof Header> };

/** The header of a file, and which of its first lines it is; -1 for none. */
export type FoundHeader = { header: string[]; at: number };

/** Finds the header among the first lines of a file. 400 for a line that is not there. */
export function headerIn(lines: CsvLine[], options: HeaderOptions): FoundHeader {
  const at = headerPlace(lines, options);
  const width = Math.max(0, ...lines.map(({ cells }) => cells.length));
  const header =
    at === -1
      ? Array.from({ length: width }, (_, nth) => String(nth + 1))
      : (lines[at]?.cells ?? []).map((name) => unescapeFormula(name.trim()));
  if (header.length > maxColumns)
    throw badRequest("file_unreadable", `The file has more than ${maxColumns} columns.`);
  return { header, at };
}

function headerPlace(lines: CsvLine[], options: HeaderOptions): number {
  const { header } = options;
  if (header === "none") return -1;
  if (header !== undefined) {
    const at = lines.findIndex(({ line }) => line >= Number(header));
    if (at !== -1) return at;
    const message = `Among its first ${lines.length} lines the file has no line ${header} with text.`;
    throw badRequest("invalid_value", message, ["header"]);
  }
  const isOfProgram = ({ cells }: CsvLine) => profileIn(cells) !== "general";
  const known = lines.findIndex(isOfProgram);
  if (known !== -1) return known;
  const scores = lines.map(({ cells }) => scoreOf(cells, options));
  // Lines before a header name no column of titles.
  if ((scores[0] ?? 0) > 0) return 0;
  const better = scores.findIndex((score) => score > 1);
  if (better !== -1) return better;
  const isData = lines[0]?.cells.some(
    (cell) => typeof datesIn(cell, {}) === "object" && datesIn(cell, {}) !== null,
  );
  return isData === true ? -1 : 0;
}

/** How many columns a line names, if it names that of the titles. */
function scoreOf(cells: string[], options: ColumnOptions): number {
  try {
    const { columns } = columnsIn(cells, options);
    return columns.title === undefined ? 0 : Object.keys(columns).length;
  } catch {
    return 0;
  }
}
