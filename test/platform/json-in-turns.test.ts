import { expect, test } from "vitest";
import { jsonInTurns } from "../../src/platform/json/json-in-turns.ts";
import { LoopTurns } from "../../src/platform/loop-turns.ts";

const nested = (depth: number): unknown =>
  depth === 0 ? "end" : { inner: [nested(depth - 1), undefined], gone: undefined };

const values = [
  null,
  [],
  {},
  "text",
  [undefined, null, { a: undefined, b: [1, "2", true] }],
  { date: new Date(0), '"key"': "\u00fc\u2028" },
  nested(6),
];

test.each([...values.entries()])("value %i is written as JSON.stringify does", async (_, value) => {
  expect(await jsonInTurns(value, new LoopTurns())).toBe(JSON.stringify(value));
});

test("others have turns while a large value is written", async () => {
  let turns = 0;
  let isWriting = true;
  const count = () => {
    turns++;
    if (isWriting) setImmediate(count);
  };
  setImmediate(count);
  const cards = Array.from({ length: 100_000 }, (_, nth) => ({ nth, title: "A card" }));
  const text = await jsonInTurns({ lists: [{ cards }] }, new LoopTurns());
  isWriting = false;
  expect(JSON.parse(text).lists[0].cards).toHaveLength(cards.length);
  expect(turns).toBeGreaterThan(2);
});
