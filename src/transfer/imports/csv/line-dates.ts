import { asMoment, datesIn, type DateInCell, type DateReading } from "./dates.ts";
import type { LineCells } from "./line-cells.ts";
import type { Target } from "./targets.ts";

/** Reports a cell that is not imported, or only in part. */
export type Partly = (reason: string, detail?: string) => void;

/** The dates of a target: the last one of its first range, and the first one if it is a range. */
export type LineDates = { start: DateInCell | null; end: DateInCell } | null;

const timeOf = (date: DateInCell) => asMoment(date) ?? "";

/** Whether two dates may be one: equal, or one the day of the other. */
const agree = (one: string, other: string) =>
  one === other || one.slice(0, 10) === other.slice(0, 10);

/**
 * Reads the dates of a target from its columns, in order of preference. Reports cells that are no
 * dates, and other dates than the one that counts.
 */
export function datesOf(
  cells: LineCells,
  target: Target,
  reading: DateReading,
  header: readonly string[],
  partly: Partly,
): LineDates {
  let found: LineDates = null;
  const problems: [string, string][] = [];
  for (const { at, cell } of cells.values(target)) {
    const read = datesIn(cell, reading);
    if (read === "unclear")
      problems.push([
        `The day and the month of the ${target} are not clear: send dateOrder.`,
        cell,
      ]);
    else if (read === null) continue;
    else if (read === "invalid" || asMoment(read.end) === null)
      problems.push([`The ${target} is not a date.`, cell]);
    else if (found === null) found = read;
    else if (!agree(timeOf(found.end), timeOf(read.end)))
      partly(`Another column has the ${target}.`, `${header[at] ?? ""}: ${cell.slice(0, 400)}`);
  }
  if (found === null) for (const [reason, cell] of problems) partly(reason, cell.slice(0, 500));
  return found;
}
