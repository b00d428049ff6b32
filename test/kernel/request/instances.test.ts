import pino from "pino";
import { afterAll, expect, test } from "vitest";
import { countInDatabase } from "../../../src/kernel/request/counts.ts";
import { createLimits, type RateLimits } from "../../../src/kernel/request/rate-limits.ts";
import { openDatabase } from "../../../src/platform/db/database.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { unauthorized } from "../../../src/platform/errors.ts";
import { freshDatabase } from "../../support/database.ts";

const database = await freshDatabase();
const db = await openDatabase(database.url, 4, pino({ level: "silent" }));
afterAll(async () => {
  await db.close();
  await database.drop();
});

const wrong = async () => {
  throw unauthorized("sign_in_failed", "Wrong.");
};

/** Each limit of sign-in attempts and of mails, once. */
const attempts: Record<string, (limits: RateLimits) => Promise<unknown>> = {
  signIn: (limits) => limits.signIn("a@example.com", "192.0.2.1", async () => true, wrong),
  resetRequest: (limits) => limits.resetRequest("a@example.com", "192.0.2.1", async () => {}),
  password: (limits) => limits.password(1n, async () => false),
  signUp: (limits) => limits.signUp("192.0.2.1", async () => undefined),
  guess: (limits) => limits.guess("192.0.2.1", wrong),
  verification: (limits) => limits.verification(1n),
};

const instances = (count: number) =>
  Array.from({ length: count }, () =>
    createLimits(100, 12, { text: 1_000, stored: 1_000 }, countInDatabase(db)),
  );

const isRefused = (attempt: Promise<unknown>) =>
  attempt.then(
    () => false,
    (error: { failure?: string }) => error.failure === "TOO_MANY_REQUESTS",
  );

/** How many attempts pass before one is refused, when the nth goes to an instance. */
async function passed(
  attempt: (limits: RateLimits) => Promise<unknown>,
  all: RateLimits[],
  instanceOf: (nth: number) => number,
) {
  await db.write(sql`DELETE FROM attempt_counts`);
  for (let nth = 0; nth < 1_000; nth++) {
    const limits = all[instanceOf(nth) % all.length];
    if (limits !== undefined && (await isRefused(attempt(limits)))) return nth;
  }
  return Infinity;
}

test.each(Object.entries(attempts))(
  "as many attempts of %s pass behind a balancer as on one instance, also a sticky one",
  async (_, attempt) => {
    const alone = await passed(attempt, instances(1), () => 0);
    expect(alone).toBeLessThan(1_000);
    expect(await passed(attempt, instances(3), (nth) => nth)).toBe(alone);
    const three = instances(3);
    expect(await passed(attempt, three, () => 1)).toBe(alone);
    // Another instance, and one that has just started, refuse the next one too.
    for (const limits of [...three, ...instances(1)])
      expect(await isRefused(attempt(limits))).toBe(true);
  },
);

test("past its limit a key asks the database no more", async () => {
  let asked = 0;
  const write: typeof db.write = (statement) => (asked++, db.write(statement));
  const limits = createLimits(100, 1, { text: 1, stored: 1 }, countInDatabase({ ...db, write }));
  const attempt = () => isRefused(limits.password(7n, async () => false));
  expect(await attempt()).toBe(false);
  expect(await attempt()).toBe(true);
  const before = asked;
  for (let nth = 0; nth < 100; nth++) expect(await attempt()).toBe(true);
  expect(asked).toBe(before);
});

test("what is stored names neither accounts nor addresses", async () => {
  const [limits] = instances(1);
  if (limits !== undefined) await isRefused(attempts["signIn"]?.(limits) ?? Promise.resolve());
  const rows = await db.read(sql`SELECT * FROM attempt_counts`);
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/example|192\.0\.2/);
});
