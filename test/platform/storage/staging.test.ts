import { expect, test } from "vitest";
import { Staging } from "../../../src/platform/storage/staging.ts";

const noDiskSpace = Number.MAX_SAFE_INTEGER;
const textOf = (nth: number) => String(nth % 10).repeat(2 * 1024 * 1024);

test("a source of less than 50 MB takes no space on the disk", async () => {
  await Staging.lend(noDiskSpace, async (staging) => {
    const values = [{ name: "one" }, ["two"], null, "é".repeat(10_000)];
    const staged = values.map((value) => staging.put(value));
    await staging.flush();
    expect(await staging.read(staged.toReversed())).toEqual(values.toReversed());
  });
});

test("a source of more than 50 MB continues on the disk, and is read as a whole", async () => {
  const numbers = Array.from({ length: 32 }, (_, nth) => nth);
  await Staging.lend(0, async (staging) => {
    const staged = [];
    for (const nth of numbers) {
      staged.push(staging.put({ nth, text: textOf(nth) }));
      if (nth % 3 === 0) await staging.flush();
    }
    for (const nth of numbers.toReversed())
      expect(await staging.read(staged.slice(nth, nth + 1))).toEqual([{ nth, text: textOf(nth) }]);
  });
  await Staging.lend(noDiskSpace, async (staging) => {
    for (const nth of numbers) staging.put(textOf(nth));
    await expect(staging.flush()).rejects.toMatchObject({ issues: [{ code: "storage_full" }] });
  });
});
