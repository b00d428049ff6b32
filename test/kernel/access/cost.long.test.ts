import { beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../../../src/contract/policy.ts";
import { fill } from "../../property/rows.ts";
import { useStatements } from "../../support/statements.ts";
import { operations, send, type Input } from "./call.ts";
import { inputs } from "./inputs.ts";
import { adminKey, useWorld } from "./world.ts";

// Rows that are inserted directly publish no event, so no board may come from memory.
const world = useWorld({ CACHE_MB: 0 });
const counting = useStatements();

beforeAll(async () => {
  const { admin, ids } = world().fixtures;
  // No listing may be empty: an empty listing reads no rows.
  await admin.rest.put(`/cards/${ids.card}/members/${ids.member}`);
});

/** What is done to a list as a whole is tried on one that is as long as the board is large. */
const onWholeLists: ReadonlySet<Operation> = new Set([
  "list.moveCards",
  "list.move",
  "list.sort",
  "list.delete",
  "list.restore",
  "list.cards",
  "list.update",
]);

/**
 * What answers all there is, however much, reads it in pages of 200 cards: so many statements more
 * for each.
 */
const inPages: { readonly [Name in Operation]?: number } = {
  // Beside the cards of the board, those of two lists that other operations fill and move.
  "workspace.export": 19.5,
  "workspace.snapshot": 14.1,
  // The page, its cards, their names and counts, and the values of custom fields.
  "board.exportCsv": 4,
  // Events are completed (three statements) and written (up to three) 1,000 at a time.
  "list.moveCards": 1.2,
};

/**
 * What takes some statements more, once. A large board waits for its turn between two transactions:
 * BEGIN, the caller and ROLLBACK. A page of a long log is read on behind events of others.
 */
const once: { readonly [Name in Operation]?: number } = {
  "board.get": 3,
  "workspace.events": 3,
};

/** What publishes an event in each workspace of the caller, however many cards a board has. */
const inEachWorkspace: ReadonlySet<Operation> = new Set(["user.update"]);

async function cost(operation: Operation, size: number) {
  const { app, fixtures } = world();
  const { input, token, undo } = await inputs[operation](world(), fixtures.admin);
  if (onWholeLists.has(operation)) await lengthen(input, size);
  const headers = { "X-Admin-Key": adminKey };
  const credential = token ?? fixtures.admin.token;
  const { count, result } = await counting(() =>
    send(app, "REST", operation, input, credential, headers),
  );
  // A page is sent on.
  expect([200, 303], result.text.slice(0, 300)).toContain(result.status);
  await undo?.();
  return count;
}

const lengthen = ({ listPublicId }: Input, size: number) =>
  fill(world().app, String(listPublicId), size);

const few = new Map<Operation, number>();

describe("with 10 cards on the board", () => {
  test.each(operations)("%s takes so many statements", async (operation) => {
    // The first time may be dearer: connections are opened, links are made.
    await cost(operation, 10);
    few.set(operation, await cost(operation, 10));
    expect(few.get(operation)).toBeGreaterThanOrEqual(0);
  });
});

describe("with 1,000 cards on the board", () => {
  test.each(operations)("%s takes no more", async (operation) => {
    const { app, fixtures } = world();
    const where = { list: { publicId: fixtures.ids.list }, deletedAt: null };
    const cards = await app.db.reader.card.count({ where });
    if (cards < 1_000) await fill(app, fixtures.ids.list, 1_000 - cards);
    if (inEachWorkspace.has(operation)) return;
    const pages = Math.ceil((inPages[operation] ?? 0) * Math.ceil(1_000 / 200));
    const more = pages + (once[operation] ?? 0);
    expect(await cost(operation, 1_000)).toBeLessThanOrEqual((few.get(operation) ?? 0) + more);
  });

  test("every operation has been counted", () => {
    expect([...few.keys()].toSorted()).toEqual(operations.toSorted());
  });
});
