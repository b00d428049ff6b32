import { momentOf, plannedDateOf } from "../../../platform/foreign-text.ts";
import { isNothing } from "./cells.ts";
import { months, weekdays, zones } from "./date-words.ts";

/** Whether the day or the month comes first in dates such as 3/4/2026. */
export type DateOrder = "dmy" | "mdy";

/** A date of a cell: a whole day as `YYYY-MM-DD`, or a time as ISO 8601 with `Z`. */
export type DateInCell = { day: string } | { moment: string };

/** What a cell says: one date, or the two of a range. */
export type DatesInCell = { start: DateInCell | null; end: DateInCell };

/** How dates of a file are read. */
export type DateReading = {
  order?: DateOrder | undefined;
  /** The zone of times without one, in minutes east of UTC. */
  offset?: number | undefined;
};

/** A date as cards are planned by: a whole day without a time, or a moment. Null if there is none such. */
export const asPlannedDate = (date: DateInCell): string | null =>
  plannedDateOf("day" in date ? date.day : date.moment);

/** A date as a moment: a whole day is midnight UTC. Null if there is none such. */
export const asMoment = (date: DateInCell): string | null =>
  momentOf("day" in date ? date.day : date.moment);

/** The most characters of a date: longer cells are texts. */
const maxLength = 120;

const range = /\s*(?:→|⟶|->)\s*|\s+(?:–|—|-|to|bis|à|a|hasta|até)\s+|\s*[〜～]\s*/iu;

/**
 * The dates of a cell. Null when it has none, "unclear" when it depends on an order that is not
 * known, and "invalid" for another text.
 */
export function datesIn(
  cell: string,
  reading: DateReading,
): DatesInCell | null | "unclear" | "invalid" {
  if (isNothing(cell)) return null;
  const text = plain(cell);
  if (text.length > maxLength) return "invalid";
  const one = dateIn(text, reading);
  if (one !== "invalid") return typeof one === "string" ? one : { start: null, end: one };
  const [first = "", last, ...rest] = text.split(range);
  if (last === undefined || rest.length > 0) return "invalid";
  const { zone: ofLast } = timeIn(last) ?? {};
  const offset = ofLast ?? reading.offset;
  const start = dateIn(first, { ...reading, offset });
  if (typeof start === "string") return start;
  // `8 October 2021 3:00 PM → 4:00 PM` has its day once.
  const isTime = timeIn(last)?.rest === "";
  const day = "day" in start ? start.day : first.replace(timeIn(first)?.text ?? "", "");
  const end = dateIn(isTime ? `${day} ${last}` : last, { ...reading, offset });
  return typeof end === "string" ? end : { start, end };
}

/** A text in one spelling: usual spaces and digits, without names of weekdays. */
const plain = (cell: string) =>
  cell
    .slice(0, 2 * maxLength)
    .normalize("NFKC")
    .replaceAll(/\s+/g, " ")
    .trim();

/** A day in numbers of which either may be the month, and whether its numbers decide. */
type Numeric = { first: number; second: number; year: number; isDotted: boolean };

/** Which order a cell proves; "unclear" when it needs one, null when it says nothing about it. */
export function orderIn(cell: string): DateOrder | "unclear" | null {
  const text = plain(cell);
  if (text.length > maxLength || !/\d/.test(text)) return null;
  const numbers = numericIn(dayTextOf(timeIn(text)?.rest ?? text));
  if (numbers === null) {
    const parts = text.split(range);
    return parts.length === 2 ? (orderIn(parts[0] ?? "") ?? orderIn(parts[1] ?? "")) : null;
  }
  const { first, second, isDotted } = numbers;
  if (isDotted || first === second || first > 31 || second > 31) return null;
  if (first > 12) return second > 12 ? null : "dmy";
  return second > 12 ? "mdy" : "unclear";
}

function dateIn(text: string, { order, offset }: DateReading): DateInCell | "unclear" | "invalid" {
  const epoch = epochIn(text);
  if (epoch !== null) return { moment: epoch };
  const time = timeIn(text);
  const day = dayIn(dayTextOf(time?.rest ?? text), order);
  if (typeof day === "string") return day;
  if (!exists(day)) return "invalid";
  const [year, month, date] = day;
  const iso = `${String(year).padStart(4, "0")}-${padded(month)}-${padded(date)}`;
  if (time === null) return { day: iso };
  const zone = time.zone ?? offset ?? 0;
  const at = Date.UTC(year, month - 1, date, time.hour, time.minute, time.second, time.millisecond);
  return { moment: new Date(at - zone * 60_000).toISOString() };
}

const padded = (value: number) => String(value).padStart(2, "0");

/** Year, month and day. */
type Day = [number, number, number];

const exists = ([year, month, date]: Day) =>
  year >= 1000 &&
  year <= 9998 &&
  month >= 1 &&
  month <= 12 &&
  date >= 1 &&
  date <= 31 &&
  new Date(Date.UTC(year, month - 1, date)).getUTCMonth() === month - 1;

/** Seconds or milliseconds since 1970, of a time after 2001. */
function epochIn(text: string): string | null {
  if (!/^\d{10}(?:\d{3})?(?:\.\d{1,9})?$/.test(text)) return null;
  const value = Number(text) * (/^\d{13}/.test(text) ? 1 : 1_000);
  return value < 1e12 || value > 4.2e12 ? null : new Date(Math.floor(value)).toISOString();
}

type Time = {
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
  /** In minutes east of UTC. */
  zone: number | undefined;
  /** What it was read from, and the text without it. */
  text: string;
  rest: string;
};

const clock =
  /(?<![\d:.])(午前|午後)? ?(\d{1,2})(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?|(?= ?[ap]\.? ?m\b))(?![\d:])(?: ?([ap])\.? ?m\b\.?)?/iu;
const zone =
  /^ ?(?:\(?(?:UTC|GMT|Z)? ?([+-])(\d{1,2}):?(\d\d)?\)?|\(?([A-Z]{1,4})\)?)(?: ?\([^()]{1,60}\))?(?= |$|,)/i;

/** The time in a text, with its zone; null without one. */
function timeIn(text: string): Time | null {
  const found = clock.exec(text.replace(/(\d)T(?=\d)/i, "$1 "));
  if (found === null) return null;
  const [all, early, hours = "", minutes = "0", seconds = "0", fraction = "", half] = found;
  const isLate = half?.toLowerCase() === "p" || early === "午後";
  const isHalf = half !== undefined || early !== undefined;
  const hour = isHalf ? (Number(hours) % 12) + (isLate ? 12 : 0) : Number(hours);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 60) return null;
  if (isHalf && (Number(hours) > 12 || (early === undefined && hours === "0"))) return null;
  const after = text.slice(found.index + all.length);
  const offset = zoneIn(after);
  const end = found.index + all.length + (offset?.length ?? 0);
  const before = text.slice(0, found.index).replace(/(?:T|,| (?:at|um|às|a las|à))? ?$/iu, "");
  return {
    hour,
    minute: Number(minutes),
    second: Math.min(59, Number(seconds)),
    millisecond: Number(fraction.slice(0, 3).padEnd(3, "0")),
    zone: offset?.minutes,
    text: text.slice(before.length, end),
    rest: `${before} ${text.slice(end).replace(/^(?: Uhr)?/i, "")}`.trim(),
  };
}

/** A zone at the start of a text. */
function zoneIn(text: string): { minutes: number; length: number } | null {
  const [all = "", sign, hours = "0", minutes = "0", name] = zone.exec(text) ?? [];
  if (sign !== undefined) {
    const value = Number(hours.padStart(2, "0")) * 60 + Number(minutes);
    return { minutes: sign === "-" ? -value : value, length: all.length };
  }
  const named = name === undefined ? undefined : zones.get(name.toUpperCase());
  return named === undefined ? null : { minutes: named, length: all.length };
}

/** The text of a day without weekdays, and without a zone or a weekday in brackets. */
const dayTextOf = (text: string) =>
  text
    .replace(/ ?\([^()]{1,60}\)$/, "")
    .replaceAll(/[\p{L}\p{M}]+\.?,?/gu, (word) => (weekdays.has(bareWord(word)) ? "" : word))
    .replaceAll(/ +/g, " ")
    .replaceAll(/^[ ,]{0,9}|[ ,.]{1,9}$/g, "");

const bareWord = (word: string) =>
  word
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[^\p{L}]/gu, "");

const fillers = new Set(["de", "del", "of", "the", "le", "den", "der"]);
const suffix = /^(?:st|nd|rd|th|er|º|o|ª)$/;

/** Year, month and day of a text. */
function dayIn(text: string, order: DateOrder | undefined): Day | "unclear" | "invalid" {
  const iso =
    /^(\d{4})([-/. ])(\d{1,2})\2(\d{1,2})$/.exec(text) ??
    /^(\d{4})(年|) ?(\d{1,2})月 ?(\d{1,2})日$/.exec(text);
  if (iso !== null) return [Number(iso[1]), Number(iso[3]), Number(iso[4])];
  const compact = /^(\d{4})(\d\d)(\d\d)$/.exec(text);
  if (compact !== null) return [Number(compact[1]), Number(compact[2]), Number(compact[3])];
  const numbers = numericIn(text);
  if (numbers !== null) {
    const { first, second, year, isDotted } = numbers;
    const isClear = first > 12 || second > 12 || first === second;
    const clear = first > 12 || isDotted ? "dmy" : "mdy";
    const by = isDotted || isClear ? clear : order;
    if (by === undefined) return "unclear";
    return by === "dmy" ? [year, second, first] : [year, first, second];
  }
  return wordsIn(text);
}

function numericIn(text: string): Numeric | null {
  const [, first, separator, second, year = ""] =
    /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)$/.exec(text) ?? [];
  if (first === undefined) return null;
  return {
    first: Number(first),
    second: Number(second),
    year: fullYear(year),
    isDotted: separator === ".",
  };
}

const fullYear = (year: string) =>
  year.length === 4 ? Number(year) : Number(year) + (Number(year) < 70 ? 2000 : 1900);

/** Year, month and day of a text that has the name of a month. */
function wordsIn(text: string): Day | "invalid" {
  if (/[^\d\p{L}\p{M} .,/\-'’º°ª]/u.test(text)) return "invalid";
  const tokens = (text.match(/\d+|[\p{L}\p{M}ºª]+/gu) ?? []).filter(
    (token, nth) => !fillers.has(token.toLowerCase()) && !(nth > 0 && suffix.test(token)),
  );
  const [one = "", two = "", three = "", ...more] = tokens;
  if (more.length > 0) return "invalid";
  const isNumber = (token: string, max: number) => /^\d+$/.test(token) && token.length <= max;
  const month = (token: string) => months.get(bareWord(token));
  if (isNumber(one, 4) && one.length === 4 && month(two) !== undefined && isNumber(three, 2))
    return [Number(one), month(two) ?? 0, Number(three)];
  if (!isNumber(three, 4) || (three.length !== 2 && three.length !== 4)) return "invalid";
  if (isNumber(one, 2) && month(two) !== undefined)
    return [fullYear(three), month(two) ?? 0, Number(one)];
  if (isNumber(two, 2) && month(one) !== undefined)
    return [fullYear(three), month(one) ?? 0, Number(two)];
  return "invalid";
}

/** The zone in a cell, such as `-04:00`, in minutes east of UTC; undefined for another text. */
export const offsetIn = (cell: string): number | undefined => zoneIn(cell.trim())?.minutes;
