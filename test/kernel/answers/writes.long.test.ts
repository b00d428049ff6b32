import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { join } from "../../support/make.ts";
import { operations, writes } from "../access/call.ts";
import { inputs } from "../access/inputs.ts";
import { apart, perform } from "../access/perform.ts";
import { useWorld } from "../access/world.ts";
import { instances } from "./instances.ts";

const world = useWorld();
let all: ReturnType<typeof instances>;
let guest: Awaited<ReturnType<typeof join>>;

beforeAll(async () => {
  const { app, estate } = world();
  all = instances(app);
  guest = await join(app, estate.workspace, "guest");
  const { board, member, card } = estate.ids;
  await estate.admin.rest.put(`/cards/${card}/members/${member}`);
  await estate.admin.rest.put(`/boards/${board}/members/${guest.memberPublicId}`);
});

/** The paths of the boards of the workspace that were made first, and last. */
async function paths(): Promise<string[]> {
  const rows = await world().app.db.read<{ publicId: string }>(sql`SELECT "publicId" FROM boards
    WHERE "publicId" = ANY(${[world().estate.ids.board, world().estate.other.board]}::text[])
      OR id IN (SELECT id FROM boards ORDER BY id DESC LIMIT 4)`);
  return rows.flatMap(({ publicId }) => [
    `/boards/${publicId}`,
    `/boards/${publicId}?archived=true&cardLimit=2`,
  ]);
}

const readers = () => [world().estate.admin.token, guest.token, world().estate.apiKey];

const each = operations.filter((one) => writes(one) && !apart.includes(one));

describe("a cached board is what a fresh read shows after", () => {
  test.each(each)("%s", async (operation) => {
    const target = await inputs[operation](world(), world().estate.admin);
    for (const path of await paths()) {
      for (const token of readers()) await all.warm(path, token);
    }
    await perform(world(), "REST", operation, { made: target });
    expect(await paths()).not.toEqual([]);
    for (const path of await paths()) {
      for (const token of readers()) await all.expectFresh(path, token, operation);
    }
  });

  test("all of them, many read from memory", () => {
    expect(all.one.answers.counts.hits).toBeGreaterThan(100);
    expect(all.fresh.answers.counts).toEqual({ hits: 0, misses: 0 });
  });
});
