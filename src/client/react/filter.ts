import type { BoardView, CardView } from "../store/index.ts";

/** A period of due dates, as the filter `due` of the service names it. */
type Due = "overdue" | "today" | "tomorrow" | "week" | "month" | "none";

/** Whose days are meant: those of a time zone, in weeks that begin on a day (0 is Sunday). */
type Calendar = {
  /** The time zone of the days, such as `Europe/Berlin` (UTC). */
  timeZone?: string;
  /** The first day of weeks: 0 is Sunday (1). */
  weekStartDay?: number;
};

const dayMs = 24 * 60 * 60 * 1000;
const fields = { year: "numeric", month: "numeric", day: "numeric" } as const;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day of a moment in a time zone, as the number of days since 1970. */
function dayOf(moment: number, timeZone: string): number {
  const known = formats.get(timeZone);
  const format = known ?? new Intl.DateTimeFormat("en", { timeZone, ...fields });
  formats.set(timeZone, format);
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const [year, month, day] = [parts.get("year"), parts.get("month"), parts.get("day")].map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day) / dayMs;
}

/** The first day of the month of a day, `months` later. */
function monthOf(day: number, months: number): number {
  const date = new Date(day * dayMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months) / dayMs;
}

/** The days of a period, from the first to the one behind the last. */
function daysOf(due: Due, today: number, weekStartDay: number): readonly [number, number] {
  const week = today - ((new Date(today * dayMs).getUTCDay() - weekStartDay + 7) % 7);
  if (due === "week") return [week, week + 7];
  if (due === "month") return [monthOf(today, 0), monthOf(today, 1)];
  return due === "tomorrow" ? [today + 1, today + 2] : [today, today + 1];
}

/** Whether a card is due in a period around now, as the filter of the service decides it. */
function isDue(
  { dueDate, isComplete }: { dueDate: string | null; isComplete: boolean },
  due: Due,
  { timeZone = "UTC", weekStartDay = 1 }: Calendar,
  now: number,
): boolean {
  if (dueDate === null || due === "none") return dueDate === null && due === "none";
  const moment = Date.parse(dueDate);
  if (due === "overdue") return moment < now && !isComplete;
  const [first, end] = daysOf(due, dayOf(now, timeZone), weekStartDay);
  const day = dayOf(moment, timeZone);
  return day >= first && day < end;
}

/** Which cards to show: those that a function selects, or that have all given properties. */
export type CardFilter =
  | ((card: CardView) => boolean)
  | (Calendar & {
      /** Part of the title or of the card number. */
      text?: string;
      /** At least one of these labels. */
      labels?: readonly string[];
      /** At least one of these members. */
      members?: readonly string[];
      /** Whether they are complete. */
      isComplete?: boolean;
      /**
       * Due in this period, as the filter `due` of `board.cards`: give it the `timeZone` of the
       * user or else of the workspace, and the `weekStartDay` of the workspace. By default days
       * are those of UTC, and weeks begin on Monday.
       */
      due?: Due;
    });

const hasOne = (items: { publicId: string }[], ids: readonly string[]) =>
  ids.length === 0 || items.some(({ publicId }) => ids.includes(publicId));

function passes(card: CardView, filter: CardFilter, now: number): boolean {
  if (typeof filter === "function") return filter(card);
  const { text = "", labels = [], members = [], isComplete, due } = filter;
  const found = `${card.cardNumber} ${card.title}`.toLowerCase().includes(text.toLowerCase());
  if (!found || !hasOne(card.labels, labels) || !hasOne(card.members, members)) return false;
  if (isComplete !== undefined && card.isComplete !== isComplete) return false;
  return due === undefined || isDue(card, due, filter, now);
}

/** A board with the cards that pass. Lists whose cards all pass stay the same objects. */
export function filterBoard(
  board: BoardView,
  filter: CardFilter,
  now: number = Date.now(),
): BoardView {
  const lists = board.lists.map((list) => {
    const cards = list.cards.filter((card) => passes(card, filter, now));
    return cards.length === list.cards.length ? list : { ...list, cards };
  });
  return { ...board, lists };
}
