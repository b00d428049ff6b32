/** What a day and a week are: those of a time zone, in weeks that begin on a day (0 is Sunday). */
export type Calendar = { now: number; timeZone: string; weekStartDay: number };

/** The moments from the first on, before the second, in milliseconds since 1970. */
export type Period = readonly [from: number, until: number];

const dayMs = 86_400_000;
const maxDays = 1_000;
const formats = new Map<string, Intl.DateTimeFormat>();
/** The most formats in memory: the names of zones have many spellings, which callers choose. */
const maxFormats = 200;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formats.get(timeZone);
  if (cached !== undefined) return cached;
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    calendar: "iso8601",
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  if (formats.size >= maxFormats) formats.clear();
  formats.set(timeZone, format);
  return format;
}

/** What clocks of a time zone show at a moment, as if it were UTC. */
function localTime(moment: number, timeZone: string): number {
  if (timeZone === "UTC") return moment;
  const parts = new Map<string, string>();
  for (const { type, value } of formatOf(timeZone).formatToParts(moment)) parts.set(type, value);
  const number = (type: string) => Number(parts.get(type) ?? 0);
  const year = parts.get("era")?.startsWith("B") ? 1 - number("year") : number("year");
  const date = new Date(0);
  date.setUTCFullYear(year, number("month") - 1, number("day"));
  date.setUTCHours(number("hour"), number("minute"), number("second"));
  return date.getTime();
}

/** The day of a moment in a time zone, as the number of days since 1970. */
export const dayOf = (moment: number, timeZone: string): number =>
  Math.floor(localTime(moment, timeZone) / dayMs);

/** The midnight in UTC of the day of a moment in a time zone: whole days are stored so. */
export const midnightOf = (moment: number, timeZone: string): number =>
  dayOf(moment, timeZone) * dayMs;

/** When a day begins in a time zone: the first moment whose date is not before it. */
export function startOfDay(day: number, timeZone: string): number {
  const local = day * dayMs;
  // Clocks differ from UTC by less than a day.
  let [before, after] = [local - dayMs, local + dayMs];
  const offset = localTime(before, timeZone) - before;
  if (localTime(after, timeZone) - after === offset) return local - offset;
  // The clocks change within these days.
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (localTime(middle, timeZone) < local) before = middle;
    else after = middle;
  }
  return after;
}

const weekOf = (day: number, weekStartDay: number) =>
  day - ((((day + 4) % 7) + 14 - weekStartDay) % 7);

/** The first day of the month of a day, some months later. */
function monthOf(day: number, later: number): number {
  const date = new Date(day * dayMs);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + later);
  return date.getTime() / dayMs;
}

type Days = readonly [first: number, end: number];

/** The days of a period that has a name. */
const periods: Readonly<Record<string, (today: number, weekStartDay: number) => Days>> = {
  yesterday: (today) => [today - 1, today],
  today: (today) => [today, today + 1],
  tomorrow: (today) => [today + 1, today + 2],
  lastWeek: (today, start) => [weekOf(today, start) - 7, weekOf(today, start)],
  thisWeek: (today, start) => [weekOf(today, start), weekOf(today, start) + 7],
  nextWeek: (today, start) => [weekOf(today, start) + 7, weekOf(today, start) + 14],
  lastMonth: (today) => [monthOf(today, -1), monthOf(today, 0)],
  thisMonth: (today) => [monthOf(today, 0), monthOf(today, 1)],
  nextMonth: (today) => [monthOf(today, 1), monthOf(today, 2)],
};

/** The names of periods. */
export const periodNames: readonly string[] = Object.keys(periods);

const many = /^(last|next) (\d{1,4}) days?$/;
const date = /^(\d{4})-(\d{2})-(\d{2})$/;
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;
const firstMoment = -62_135_596_800_000;
const lastMoment = 253_402_300_800_000;

/** The day that a date names, as the number of days since 1970; undefined if it does not exist. */
function dayOfDate(text: string): number | undefined {
  if (!date.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  const exists = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
  return exists && time >= firstMoment ? time / dayMs : undefined;
}

/** The moment that a text names; undefined if it is none of the years 1 to 9999. */
function momentOf(text: string): number | undefined {
  const time = instant.test(text) ? Date.parse(text) : Number.NaN;
  const day = dayOfDate(text.slice(0, 10));
  const isValid = day !== undefined && time >= firstMoment && time < lastMoment;
  return isValid ? time : undefined;
}

/** The days that a text names. `next 7 days` begin today, and `last 7 days` end with today. */
function daysOf(text: string, { now, timeZone, weekStartDay }: Calendar): Days | undefined {
  const day = dayOfDate(text);
  if (day !== undefined) return [day, day + 1];
  const [, direction, digits] = many.exec(text) ?? [];
  const count = Number(digits);
  if (digits !== undefined && (count < 1 || count > maxDays)) return undefined;
  const daysOfPeriod = Object.hasOwn(periods, text) ? periods[text] : undefined;
  if (digits === undefined && daysOfPeriod === undefined) return undefined;
  const today = dayOf(now, timeZone);
  if (daysOfPeriod !== undefined) return daysOfPeriod(today, weekStartDay);
  return direction === "next" ? [today, today + count] : [today - count + 1, today + 1];
}

/**
 * The period that a value of a date names: a moment, `now`, a date, or days relative to today.
 *
 * Undefined if it names none.
 */
export function periodOf(value: unknown, calendar: Calendar): Period | undefined {
  if (typeof value !== "string") return undefined;
  // Dates are stored in milliseconds.
  const moment = value === "now" ? calendar.now : momentOf(value);
  if (moment !== undefined) return [moment, moment + 1];
  const days = daysOf(value, calendar);
  return days && [startOfDay(days[0], calendar.timeZone), startOfDay(days[1], calendar.timeZone)];
}
