import { createHash } from "node:crypto";
import { momentOf } from "../../../platform/foreign-text.ts";

/** Whether the day or the month comes first in dates such as 3/4/2026. */
export type DateOrder = "dmy" | "mdy";

/** A digest that identifies something in a file, however long its names are. */
export const idOf = (...parts: string[]) =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url");

const numeric = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[ T,]+(\d{1,2}):(\d\d)(?::(\d\d))?)?$/;
const isoLike = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * A date of a file as ISO 8601: ISO, with or without time and zone, or day, month and year in
 * `order`; undefined when the order matters and is not known. Null for no date.
 */
export function dateIn(cell: string, order: DateOrder | undefined): string | null | undefined {
  const text = cell.trim();
  const [, day, time, seconds = "00", fraction = "", zone = "Z"] = isoLike.exec(text) ?? [];
  if (day !== undefined) {
    const offset = zone.toUpperCase().replace(/^([+-]\d\d):?(\d\d)$/, "$1:$2");
    return momentOf(`${day}T${time}:${seconds}${fraction}${offset}`);
  }
  const [, first = "", separator, second = "", year, hour = "0", minute = "00", rest = "00"] =
    numeric.exec(text) ?? [];
  if (year === undefined) return momentOf(text);
  const parts = partsOf(Number(first), Number(second), separator === "." ? "dmy" : order);
  if (parts === null) return undefined;
  const [month, date] = parts.map((part) => String(part).padStart(2, "0"));
  return momentOf(`${year}-${month}-${date}T${hour.padStart(2, "0")}:${minute}:${rest}.000Z`);
}

/** Month and day; null when either order is possible. Dots are used with the day first. */
function partsOf(first: number, second: number, order: DateOrder | undefined) {
  if (order === "mdy") return [first, second];
  if (order === "dmy" || first > 12 || first === second) return [second, first];
  return second > 12 ? [first, second] : null;
}

const yes = new Set(["yes", "y", "true", "1", "x", "✓", "✔", "done", "complete", "completed"]);
const no = new Set(["no", "n", "false", "0", "-", "open", "incomplete"]);

/** Whether a cell says that something is so; null for another text. */
export function flagIn(cell: string): boolean | null {
  const text = cell.trim().toLowerCase();
  if (yes.has(text)) return true;
  return no.has(text) ? false : null;
}
