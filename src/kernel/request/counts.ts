import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "../../platform/db/database.ts";
import { sharedDatabase } from "../../platform/db/shared-database.ts";
import { sql } from "../../platform/db/sql.ts";

/** What was counted for a key, and when that ends. */
export type Usage = { points: number; msBeforeNext: number };

/** Counts for keys, each from its first count until its time ends. */
export type Counts = {
  add(key: string, points: number): Promise<Usage>;
  refund(key: string, points: number): Promise<void>;
  read(key: string): Promise<Usage | undefined>;
  remove(key: string): Promise<void>;
};

/** Makes the counts of a limit: `points` within `seconds`. */
export type CountsOf = (name: string, points: number, seconds: number) => Counts;

const usageOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Usage => ({
  points: consumedPoints,
  msBeforeNext,
});

/** Counts in the memory of this process. */
export const countInMemory: CountsOf = (name, points, seconds) => {
  const memory = new RateLimiterMemory({ keyPrefix: name, points, duration: seconds });
  return {
    add: async (key, count) => usageOf(await memory.penalty(key, count)),
    refund: async (key, count) => void (await memory.reward(key, count)),
    async read(key) {
      const counted = await memory.get(key);
      return counted === null ? undefined : usageOf(counted);
    },
    remove: async (key) => void (await memory.delete(key)),
  };
};

/** How long a process takes a key for spent without asking the database again. */
const spentMs = 10_000;
const maxSpent = 10_000;

/**
 * Counts in the database, for all instances together.
 *
 * Past its limit a key costs one statement in ten seconds, however often it is tried.
 */
export function countInDatabase(database: Database): CountsOf {
  const db = sharedDatabase(database, "sign-in attempts");
  return (name, points, seconds) => {
    const spent = new LRUCache<string, Usage>({ max: maxSpent, ttl: spentMs });
    const idOf = (key: string) => createHash("sha256").update(`${name} ${key}`).digest("base64url");
    const record = (id: string, usage: Usage): Usage => {
      if (usage.points > points)
        spent.set(id, usage, { ttl: Math.min(spentMs, usage.msBeforeNext) });
      return usage;
    };
    return {
      async add(key, count) {
        const id = idOf(key);
        const known = spent.get(id);
        if (known !== undefined) return known;
        const [usage] = await db.write<Usage>(sql`
          INSERT INTO attempt_counts AS c (id, points, "expiresAt")
          VALUES (${id}, ${count}::int, now() + ${seconds}::int * interval '1 second')
          ON CONFLICT (id) DO UPDATE SET
            points = CASE WHEN c."expiresAt" > now() THEN c.points ELSE 0 END + excluded.points,
            "expiresAt" =
              CASE WHEN c."expiresAt" > now() THEN c."expiresAt" ELSE excluded."expiresAt" END
          RETURNING points, ${msLeft}`);
        return record(id, usage ?? { points: count, msBeforeNext: seconds * 1_000 });
      },
      async refund(key, count) {
        const id = idOf(key);
        spent.delete(id);
        await db.write(sql`UPDATE attempt_counts SET points = points - ${count}::int
          WHERE id = ${id} AND "expiresAt" > now()`);
      },
      async read(key) {
        const [usage] = await db.read<Usage>(sql`SELECT points, ${msLeft}
          FROM attempt_counts WHERE id = ${idOf(key)} AND "expiresAt" > now()`);
        return usage;
      },
      async remove(key) {
        const id = idOf(key);
        spent.delete(id);
        await db.write(sql`DELETE FROM attempt_counts WHERE id = ${id}`);
      },
    };
  };
}

const msLeft = sql`(extract(epoch FROM "expiresAt" - now()) * 1000)::float8 AS "msBeforeNext"`;
