import { describe, expect, test } from "vitest";
import { CachedResponse } from "../../../src/kernel/response-cache/cached-response.ts";
import { CachedResponses, createResponseCache } from "../../../src/kernel/response-cache/cache.ts";

const position = { number: 0n, publicId: null, createdAt: null };
const now = new Date();

/** A cache of 16 MiB, with answers of about a MiB. */
function scene() {
  const cache = createResponseCache(16);
  const store = (workspaceId: bigint, key: string, size = 700_000) =>
    cache.store(
      key,
      new CachedResponses(workspaceId, position, now),
      "",
      new CachedResponse(`"${"a".repeat(size)}"`, ""),
    );
  const storeMany = (workspaceId: bigint, count: number) => {
    for (let nth = 0; nth < count; nth++) store(workspaceId, `${workspaceId} ${nth}`);
  };
  const held = (workspaceId: bigint) =>
    Array.from({ length: 100 }, (_, nth) => `${workspaceId} ${nth}`).filter(
      (key) => cache.get(key, now) !== undefined,
    );
  return { cache, store, storeMany, held };
}

describe("the answers in memory", () => {
  test("of one workspace use all space that others leave", () => {
    const { storeMany, held } = scene();
    storeMany(1n, 12);
    expect(held(1n)).toHaveLength(12);
  });

  test("of one workspace leave those of another in memory, whatever it reads", () => {
    const { storeMany, held } = scene();
    storeMany(1n, 3);
    storeMany(2n, 90);
    expect(held(1n)).toHaveLength(3);
    expect(held(2n).length).toBeGreaterThan(3);
  });

  test("of a workspace over its share make space for another, the least recently used first", () => {
    const { cache, storeMany, held } = scene();
    storeMany(1n, 15);
    cache.get("1 0", now);
    storeMany(2n, 3);
    expect(held(2n)).toHaveLength(3);
    expect(held(1n)).toContain("1 0");
    expect(held(1n)).not.toContain("1 1");
  });

  test("of four workspaces are a quarter each, and the least recently used leave for a fifth", () => {
    const { storeMany, held } = scene();
    for (const one of [1n, 2n, 3n, 4n]) storeMany(one, 20);
    storeMany(5n, 1);
    const counts = [1n, 2n, 3n, 4n, 5n].map((one) => held(one).length);
    expect(counts.at(-1)).toBe(1);
    expect(Math.min(...counts.slice(0, 4))).toBeGreaterThanOrEqual(2);
  });

  test("are not stored in a full cache when one alone exceeds the share of its workspace", () => {
    const { store, storeMany, held, cache } = scene();
    for (const one of [1n, 2n, 3n, 4n, 6n]) storeMany(one, 3);
    store(5n, "5 0", 4_000_000);
    expect(cache.get("5 0", now)).toBeUndefined();
    expect([1n, 2n, 3n, 4n, 6n].map((one) => held(one).length)).toEqual([3, 3, 3, 3, 3]);
  });

  test("do not count after they were removed", () => {
    const { cache, store } = scene();
    for (let nth = 0; nth < 200; nth++) {
      store(1n, "1 0");
      const cached = cache.get("1 0", now);
      if (cached !== undefined) cache.drop("1 0", cached);
    }
    expect(cache.bytes).toBe(0);
    store(1n, "1 1", 4_000_000);
    expect(cache.get("1 1", now)).toBeDefined();
  });
});
