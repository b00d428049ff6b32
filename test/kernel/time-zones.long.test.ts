import { expect, test } from "vitest";
import { TimeZone } from "../../src/contract/vocabulary/time-zone.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { useApp } from "../support/app.ts";
import { wrongStarts } from "./starts-of-dates.ts";

const app = useApp();

test("a date begins at its first moment, in every time zone that is accepted", async () => {
  const names = await app().deps.db.read<{ name: string }>(sql`SELECT name FROM pg_timezone_names`);
  const accepted = names.flatMap(({ name }) => (TimeZone.safeParse(name).success ? [name] : []));
  expect(accepted.length).toBeGreaterThan(400);
  expect(wrongStarts(accepted)).toEqual([]);
});
