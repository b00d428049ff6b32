const dateForm = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a date is given without a time: it is a whole day, and has no zone. */
export const isWholeDay = (value: unknown): value is string =>
  typeof value === "string" && dateForm.test(value);

/**
 * Whether a date is a whole day after `given` was written over what it was before.
 *
 * The moment of a whole day, written back as it was read, changes nothing.
 */
export const isDayAfter = (
  given: unknown,
  before: { isAllDay: boolean; moment: Date | string | null },
): boolean =>
  isWholeDay(given) ||
  (before.isAllDay &&
    before.moment !== null &&
    typeof given === "string" &&
    Date.parse(given) === new Date(before.moment).getTime());

/** The moment that stands for a date: of a whole day, its midnight in UTC. */
export const momentOfDate = (value: string): string =>
  isWholeDay(value) ? `${value}T00:00:00.000Z` : value;

/** A date as it is written: a whole day without a time. */
export const dateText = (moment: Date, isAllDay: boolean): string =>
  isAllDay ? moment.toISOString().slice(0, 10) : moment.toISOString();
