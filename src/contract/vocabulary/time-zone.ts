import { z } from "zod";

// PostgreSQL reads a name without a slash as an abbreviation: `CET` is no zone with summer time.
const named = /^(?:UTC|[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*){1,2})$/;

/** What an input error says of a time zone. */
export const timeZoneError = "Must be an IANA time zone, such as Europe/Berlin, or UTC";

function isKnown(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** A time zone as input: `Area/Location` of the IANA database, or `UTC`. */
export const TimeZone = z
  .string()
  .max(64)
  .regex(named, { error: timeZoneError, abort: true })
  .refine(isKnown, { error: timeZoneError });
