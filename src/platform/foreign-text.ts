import { Moment } from "../contract/vocabulary/texts.ts";
import { isVisible } from "../contract/vocabulary/visible.ts";
import { isWholeDay } from "../contract/vocabulary/whole-days.ts";

/** A text of the source without the characters that the database rejects; null for no text. */
export const textOf = (value: unknown): string | null =>
  typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : null;

/** A trimmed name; null when nothing of it is seen. */
export function nameOf(value: unknown): string | null {
  const text = textOf(value)?.trim() ?? "";
  return isVisible(text) ? text : null;
}

/** The first `max` characters of a text, counted in code points. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  // Without surrogates each unit is a code point.
  if (!/[\uD800-\uDFFF]/.test(text.slice(0, max + 1))) return text.slice(0, max);
  // A code point has at most two units, so a long text need not be read to its end.
  const characters = Array.from(text.slice(0, 2 * max));
  const fits = text.length <= 2 * max && characters.length <= max;
  return fits ? text : characters.slice(0, max).join("");
}

/** At most `max` units of a text, as a copy that does not retain the rest of it in memory. */
export const detached = (text: string, max: number): string =>
  text.length <= max
    ? text
    : Buffer.from(text.slice(0, max), "utf16le").toString("utf16le").toWellFormed();

/**
 * A date of the source as ISO 8601; null for an invalid one. A date without time is midnight UTC.
 */
export function momentOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const text = /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00.000Z` : value;
  return Moment.safeParse(text).success ? new Date(text).toISOString() : null;
}

/** The same; a date without time stays one, which is a whole day. */
export function plannedDateOf(value: unknown): string | null {
  const moment = momentOf(value);
  return moment !== null && isWholeDay(value) ? value : moment;
}

/** The whole day of a time that a host has instead of a date; null for an invalid one. */
export const dayOfMoment = (value: unknown): string | null => momentOf(value)?.slice(0, 10) ?? null;

/** An http or https URL; null for any other value. */
export function addressOf(value: unknown): string | null {
  const text = nameOf(value);
  if (text === null || text.length > 2_048 || !URL.canParse(text)) return null;
  const { protocol } = new URL(text);
  return protocol === "https:" || protocol === "http:" ? text : null;
}

/** A name in which email addresses end before their `@`. */
export const withoutAddresses = (name: string) =>
  name.replaceAll(/\S+/g, (word) => word.replace(/(?<=.)@[^@.]*\.[^@]*$/, "")).slice(0, 255);
