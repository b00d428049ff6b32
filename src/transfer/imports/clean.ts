import { Moment } from "../../contract/vocabulary/fields.ts";

/** Text of a source as our database can hold it; null for what is no text. */
export const textOf = (value: unknown): string | null =>
  typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : null;

/** A name: its text without space around it; null when nothing is left. */
export const nameOf = (value: unknown): string | null => textOf(value)?.trim() || null;

/** The first `most` characters of a text, as our bounds count them. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // A character is two units at most: what is behind those need not be looked at, and may be a hundred million.
  const characters = Array.from(text.slice(0, 2 * most));
  const isWhole = text.length <= 2 * most && characters.length <= most;
  return isWhole ? text : characters.slice(0, most).join("");
}

/** A moment of a source as ISO 8601; null for what is none. A day alone is its midnight in UTC. */
export function momentOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const text = /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00.000Z` : value;
  return Moment.safeParse(text).success ? new Date(text).toISOString() : null;
}

/** An address of the web; null for any other, which nobody should be led to. */
export function addressOf(value: unknown): string | null {
  const text = nameOf(value);
  if (text === null || text.length > 2_048 || !URL.canParse(text)) return null;
  const { protocol } = new URL(text);
  return protocol === "https:" || protocol === "http:" ? text : null;
}
