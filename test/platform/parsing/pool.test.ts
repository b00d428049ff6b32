import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Failure } from "../../../src/platform/errors.ts";
import { endParsing, parse, parseLimits, parseTask } from "../../../src/platform/parsing/pool.ts";
import { Assembler, piecesOf } from "../../../src/platform/parsing/pieces.ts";
import { echo, fill, spin, tasksModule } from "./tasks.ts";

const { answerMs, memory } = parseLimits;
afterEach(() => void (parseLimits.answerMs = answerMs));

// Threads with little memory, which others do not get.
beforeAll(async () => {
  await endParsing();
  parseLimits.memory = 64;
});
afterAll(async () => {
  parseLimits.memory = memory;
  await endParsing();
});

async function* texts(...values: string[]) {
  for (const value of values) yield Buffer.from(value);
}

async function all(values: AsyncIterable<unknown>): Promise<unknown[]> {
  const found = [];
  for await (const value of values) found.push(value);
  return found;
}

const echoTask = parseTask(tasksModule, "The file", { echo });
const errorOf = (task: typeof echoTask) =>
  all(parse(task, texts(), undefined)).then(
    () => undefined,
    (error: unknown) => (error instanceof Failure ? error.issues[0] : error),
  );

test("what a thread yields arrives in order", async () => {
  const values = ["1", '{"a":[1,2]}', `[${"{},".repeat(20_000)}{}]`, "null"];
  const arrived = await all(parse(echoTask, texts(...values), undefined));
  expect(arrived).toEqual(values.map((value) => JSON.parse(value)));
});

test("a task that takes too much memory or time ends with a message, and others go on", async () => {
  expect(await errorOf(parseTask(tasksModule, "The file", { fill }))).toMatchObject({
    code: "file_unreadable",
    message: "The file takes too much memory to read.",
  });
  parseLimits.answerMs = 500;
  expect(await errorOf(parseTask(tasksModule, "The file", { spin }))).toMatchObject({
    code: "file_unreadable",
    message: "The file takes too much time to read.",
  });
  parseLimits.answerMs = answerMs;
  expect(await all(parse(echoTask, texts("[1]"), undefined))).toEqual([[1]]);
}, 120_000);

test("a task ends when nobody waits for it any longer", async () => {
  const waiting = new AbortController();
  const task = parseTask(tasksModule, "The file", { spin });
  const reading = all(parse(task, texts(), undefined, waiting.signal));
  waiting.abort(new Error("Cancelled."));
  await expect(reading).rejects.toThrow("Cancelled.");
});

test("an error of the source ends the task with that error", async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("1");
    throw new Error("The storage is gone.");
  }
  await expect(all(parse(echoTask, broken(), undefined))).rejects.toThrow("The storage is gone.");
});

test("every value is put together again from its pieces", () => {
  const large = fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 0, maxLength: 40 });
  fc.assert(
    fc.property(fc.jsonValue(), large, (value, items) => {
      const whole = {
        value,
        items: [items, Array.from({ length: 5_000 }, () => value)],
        ["__proto__x"]: items,
      };
      const assembler = new Assembler();
      const pieces = [...piecesOf(whole)];
      const complete = pieces.map((piece) => assembler.take(piece));
      expect(complete.indexOf(true)).toBe(pieces.length - 1);
      expect(assembler.end()).toEqual(whole);
    }),
    { numRuns: 50 },
  );
});
