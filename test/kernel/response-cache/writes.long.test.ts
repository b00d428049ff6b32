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
  const { app, fixtures } = world();
  all = instances(app);
  guest = await join(app, fixtures.workspace, "guest");
  const { board, member, card } = fixtures.ids;
  await fixtures.admin.rest.put(`/cards/${card}/members/${member}`);
  await fixtures.admin.rest.put(`/boards/${board}/members/${guest.memberPublicId}`);
});

/** The paths of the boards of the workspace that were made first, and last. */
async function paths(): Promise<string[]> {
  const rows = await world().app.db.read<{ publicId: string }>(sql`SELECT "publicId" FROM boards
    WHERE "publicId" = ANY(${[world().fixtures.ids.board, world().fixtures.other.board]}::text[])
      OR id IN (SELECT id FROM boards ORDER BY id DESC LIMIT 4)`);
  return rows.flatMap(({ publicId }) => [
    `/boards/${publicId}`,
    `/boards/${publicId}?archived=true&cardLimit=2`,
  ]);
}

const readers = () => [world().fixtures.admin.token, guest.token, world().fixtures.apiKey];

const each = operations.filter((one) => writes(one) && !apart.includes(one));

describe("a cached board is what a fresh read shows after", () => {
  test.each(each)("%s", async (operation) => {
    const target = await inputs[operation](world(), world().fixtures.admin);
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
    expect(all.one.responses.counts.hits).toBeGreaterThan(100);
    expect(all.fresh.responses.counts).toEqual({ hits: 0, misses: 0 });
  });
});
