import { dayOf, startOfDay } from "../../src/contract/filter/periods.ts";

const first = Date.parse("2026-01-01T00:00Z") / 86_400_000;
const days = Array.from({ length: 730 }, (_, nth) => first + nth);

/** The dates of two years, in the time zones, that do not begin at their first moment. */
export const wrongStarts = (timeZones: string[]): unknown[] =>
  timeZones.flatMap((zone) =>
    days
      .filter((day) => {
        const start = startOfDay(day, zone);
        return dayOf(start, zone) !== day || dayOf(start - 1, zone) !== day - 1;
      })
      .map((day) => [zone, new Date(day * 86_400_000).toISOString()]),
  );
