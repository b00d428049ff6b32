import { startOfDate } from "../../src/kernel/time-zones.ts";
import { sql } from "../../src/platform/db/sql.ts";
import type { App } from "../support/app.ts";

/** The dates of two years, in the time zones, that do not begin at their first moment. */
export const wrongStarts = (app: App, timeZones: string[]): Promise<unknown[]> =>
  app.deps.db.read(sql`
    SELECT zone, date FROM (
      SELECT zone, date::date, ${startOfDate(sql`date::date`, sql`zone`)} AS start
      FROM unnest(${timeZones}::text[]) AS zone
      CROSS JOIN generate_series('2026-01-01'::timestamp, '2027-12-31', '1 day') AS date) dates
    WHERE (start AT TIME ZONE zone)::date <> date
      OR ((start - interval '1 second') AT TIME ZONE zone)::date <> date - 1`);
