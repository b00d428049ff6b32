import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalSignIn, numberIn } from "../../../../src/transfer/imports/csv/numbers.ts";
import { months, weekdays } from "../../../../src/transfer/imports/csv/date-words.ts";
import { datesIn, orderIn } from "../../../../src/transfer/imports/csv/dates.ts";

const bare = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[^\p{L}]/gu, "");

test("the names of months and weekdays are those of Intl, in every language that is read", () => {
  for (const locale of ["en", "en-GB", "de", "fr", "es", "pt"])
    for (const width of ["long", "short"] as const)
      for (let nth = 0; nth < 12; nth++) {
        const date = new Date(Date.UTC(2026, nth, 12));
        const month = new Intl.DateTimeFormat(locale, { month: width, timeZone: "UTC" });
        expect([locale, months.get(bare(month.format(date)))]).toEqual([locale, nth + 1]);
      }
  for (const locale of ["en", "de", "fr", "es", "pt"]) {
    const weekday = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
    for (let nth = 1; nth < 8; nth++)
      expect(weekdays).toContain(bare(weekday.format(new Date(Date.UTC(2026, 1, nth)))));
  }
});

const locales = ["en-US", "en-GB", "de", "fr", "es", "pt", "ja"];

test("a day that Intl writes with the name of its month is read as that day", () => {
  const days = fc.date({
    min: new Date("1970-01-01T00:00:00Z"),
    max: new Date("2099-12-31T00:00:00Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(
      days,
      fc.constantFrom(...locales),
      fc.constantFrom("long", "short"),
      (date, locale, month) => {
        const written = new Intl.DateTimeFormat(locale, {
          day: "numeric",
          month: month as "long",
          year: "numeric",
          timeZone: "UTC",
        }).format(date);
        const day = date.toISOString().slice(0, 10);
        expect([written, datesIn(written, {})]).toEqual([written, { start: null, end: { day } }]);
      },
    ),
    { numRuns: 1_000 },
  );
});

const pieces = fc.constantFrom(
  ..."0 1 12 31 99 2026 26 / - . : , ; T Z UTC GMT+1 +02:00 AM PM → Mar März mars 年 月 日 ( ) [ ] { } \" ' @ % € 1e9 \u0000 \u200B \uD800".split(
    " ",
  ),
  " ",
  "\n",
);
const cells = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
);

test("no cell is an error: it is a date of a day that exists, or none", () => {
  fc.assert(
    fc.property(cells, fc.constantFrom("dmy", "mdy", undefined), (cell, order) => {
      const read = datesIn(cell, { order });
      orderIn(cell);
      decimalSignIn(cell);
      const number = numberIn(cell, null);
      if (number !== null) expect(Number.isFinite(Number(number))).toBe(true);
      if (read === null || typeof read === "string") return;
      for (const date of [read.start, read.end]) {
        if (date === null) continue;
        const text = "day" in date ? `${date.day}T00:00:00.000Z` : date.moment;
        expect(new Date(text).toISOString()).toBe(text);
      }
    }),
    { numRuns: 5_000 },
  );
});

test("a long cell takes no longer than its length", () => {
  const long = ["1", " ", "1/", "(", "a ", "1:", "→", " - ", "[", "1,", "'", "年"];
  for (const piece of long) {
    const cell = piece.repeat(500_000 / piece.length);
    const started = performance.now();
    datesIn(cell, {});
    orderIn(cell);
    numberIn(cell, null);
    expect(performance.now() - started).toBeLessThan(500);
  }
});

const read = [
  "11/Nov/24 3:17 PM",
  "October 8, 2021 → October 29, 2021",
  "2024/05/07 10:30:00",
  "2026-03-08 02:30",
  "1710230400000",
  "8. März 2021",
  "Mon Oct 07 2024 14:12:01 GMT+0200 (CEST)",
];

test("every cell is read the same in every time zone", () => {
  const expected = JSON.stringify(read.map((cell) => datesIn(cell, {})));
  for (const zone of ["America/New_York", "Asia/Tokyo", "UTC"]) {
    const before = process.env["TZ"];
    process.env["TZ"] = zone;
    try {
      expect(JSON.stringify(read.map((cell) => datesIn(cell, {})))).toBe(expected);
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  }
});
