import { isDeepStrictEqual } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { instances } from "../kernel/response-cache/instances.ts";
import { useApp } from "../support/app.ts";
import { changeAccess } from "./sync/access.ts";
import { perform, randomFrom } from "./sync/operations.ts";
import { makeScene } from "./sync/run.ts";

const app = useApp();

/** The whole of it: CACHE_CHANGES=250 CACHE_READS=300. */
const changes = Number(process.env["CACHE_CHANGES"] ?? 100);
const samples = Number(process.env["CACHE_READS"] ?? 120);
const seedOf = () => Number(process.env["CACHE_SEED"] ?? 270_117);
const filters = ["", "?cardLimit=1", "?archived=true", "?due=none"];

test("a board from memory is a fresh read, after any change by anyone", async () => {
  const seed = seedOf();
  const random = randomFrom(seed);
  const { users, known, access } = await makeScene(app());
  const { one, expectFresh } = instances(app());
  const all = Object.values(users);
  for (let nth = 0; nth < changes; nth++) {
    const done =
      random.below(8) === 0
        ? await changeAccess(access, known, random)
        : await perform(known, random, random.pick([users.admin, users.member]) ?? users.admin);
    for (const board of [random.pick(known.boards), ...known.boards.slice(0, 2)]) {
      const path = `/boards/${board}${random.pick(filters)}`;
      for (const { token } of [users.admin, random.pick(all) ?? users.guest]) {
        await expectFresh(path, token, `seed ${seed}, ${done}`);
      }
    }
  }
  expect(one.responses.counts.hits).toBeGreaterThan(0.4 * changes);
});

const writers = 32;

test(`a board from memory is a fresh read under ${writers} writers of two instances`, async () => {
  const seed = seedOf();
  const random = randomFrom(seed);
  const { users, known } = await makeScene(app());
  const { one, two, fresh } = instances(app());
  let isDone = false;
  const write = async (nth: number) => {
    const own = randomFrom(seed + nth);
    while (!isDone) {
      const who = own.pick([users.admin, users.member]) ?? users.admin;
      // A refusal under load is no failure of the test.
      // Names that come back between two reads would make a stale answer of a right one.
      await perform(known, own, who, false).catch(() => "overloaded");
      await new Promise((resolve) => setTimeout(resolve, own.below(4_000)));
    }
  };
  const writing = Array.from({ length: writers }, (_, nth) => write(nth));
  onTestFinished(async () => {
    isDone = true;
    await Promise.all(writing);
  });
  let compared = 0;
  for (let nth = 0; nth < samples || compared <= samples / 10; nth++) {
    const path = `/boards/${random.pick(known.boards.slice(0, 3))}`;
    const { token } = users.onBoard;
    const before = await fresh.read(path, token);
    const cached = await (random.flip() ? one : two).read(path, token);
    const again = await (random.flip() ? one : two).read(path, token);
    const after = await fresh.read(path, token);
    // Only a board that no writer has changed meanwhile has one right answer.
    if (before.status !== 200 || !isDeepStrictEqual(before, after)) continue;
    compared++;
    expect(cached, `seed ${seed}`).toEqual(before);
    expect(again, `seed ${seed}`).toEqual(before);
  }
  expect(compared).toBeGreaterThan(samples / 10);
  expect(one.responses.counts.hits + two.responses.counts.hits).toBeGreaterThan(10);
});
