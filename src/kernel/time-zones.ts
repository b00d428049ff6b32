import { timeZoneError } from "../contract/vocabulary/time-zone.ts";
import { sqlState } from "../platform/db/database-errors.ts";
import type { Query } from "../platform/db/query.ts";
import { sql } from "../platform/db/sql.ts";
import { badRequest } from "../platform/errors.ts";

type Zoned = { timeZone: string | null };

/** Zones whose names PostgreSQL reads as abbreviations, without summer time; each has a synonym. */
const synonyms: Record<string, string> = {
  CET: "Europe/Brussels",
  EET: "Europe/Athens",
  MET: "Europe/Brussels",
  WET: "Europe/Lisbon",
};

/** The time zone whose days a user means: the user's, or the workspace's, or UTC. */
export const timeZoneFor = (user: Zoned | null, workspace: Zoned): string =>
  unambiguous(user?.timeZone ?? workspace.timeZone ?? "UTC");

const unambiguous = (timeZone: string) => synonyms[timeZone.toUpperCase()] ?? timeZone;

/** Throws 400 for a time zone that the database does not know, even if Intl does. */
export async function checkTimeZone(query: Query, timeZone: string | null | undefined) {
  if (timeZone === null || timeZone === undefined) return;
  await query(sql`SELECT now() AT TIME ZONE ${timeZone}::text`).catch((error: unknown) => {
    throw sqlState(error) === "22023"
      ? badRequest("invalid_value", `${timeZoneError}.`, ["timeZone"])
      : error;
  });
}
