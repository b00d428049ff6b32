import { z } from "zod";
import { wrongFormat } from "./texts.ts";

// Intl also accepts offsets, such as `+02:00`, which are not names.
const namedZone = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z][A-Za-z0-9_+-]*){0,2}$/;

/** What an input error says of a time zone. */
export const timeZoneError = "Must be an IANA time zone, such as Europe/Berlin, CET or UTC";

function isKnown(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** A time zone as input: a name of the IANA database that Intl accepts, in any case. */
export const TimeZone = z
  .string()
  .max(64)
  .regex(namedZone, { error: timeZoneError, abort: true })
  .refine(isKnown, { error: timeZoneError, params: wrongFormat });
