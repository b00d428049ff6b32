import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import {
  countsOf,
  firstCards,
  matchingCards,
  undatedCards,
} from "../../../src/domain/boards/contents-sql.ts";
import type { Sql } from "../../../src/platform/db/sql.ts";
import { fill, markSomeCards } from "../../property/rows.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { statementOf } from "../../support/statement-of.ts";
import { sql } from "../../../src/platform/db/sql.ts";

const app = useApp({ isolated: true });

/** A board with so many cards on each of two lists; each 50th has the label and a due date. */
async function boardOf(cards: number) {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace, { lists: ["One", "Two"], labels: 1 });
  for (const list of board.lists) await fill(app(), list, cards);
  await markSomeCards(app(), board.publicId);
  const [row] = await app().db.read<{ id: bigint }>(
    sql`SELECT id FROM boards WHERE "publicId" = ${board.publicId}`,
  );
  return { ...board, id: row?.id ?? 0n };
}

type Plan = { "Shared Hit Blocks": number; "Shared Read Blocks": number };

/** How many blocks a statement touches. */
async function blocks({ text, values }: Sql): Promise<number> {
  const explain = `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`;
  const [row] = await app().db.read<{ "QUERY PLAN": { Plan: Plan }[] }>(
    statementOf(explain, values),
  );
  const plan = row?.["QUERY PLAN"][0]?.Plan;
  return (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);
}

describe("of a board with 50,000 cards, board.get reads", () => {
  let small: Awaited<ReturnType<typeof boardOf>>;
  let large: Awaited<ReturnType<typeof boardOf>>;
  beforeAll(async () => {
    small = await boardOf(250);
    large = await boardOf(25_000);
    const client = new pg.Client(app().url);
    await client.connect();
    await client.query("VACUUM (ANALYZE) cards, card_labels, lists, labels");
    await client.end();
  });

  const limit = { cardLimit: 50, now: new Date("2030-01-31T10:00:00Z") };

  test("the first cards of each list, and no others", async () => {
    const ofSmall = await blocks(firstCards(small.id, limit));
    expect(await blocks(firstCards(large.id, limit))).toBeLessThan(ofSmall + 20);
  });

  test("the numbers of cards in an index", async () => {
    expect(await blocks(countsOf(large.id, limit))).toBeLessThan(500);
  });

  test("the first cards without a due date, and their numbers in an index", async () => {
    const undated = { ...limit, due: "none" } as const;
    const ofSmall = await blocks(undatedCards(small.id, undated));
    expect(await blocks(undatedCards(large.id, undated))).toBeLessThan(ofSmall + 20);
    expect(await blocks(countsOf(large.id, undated))).toBeLessThan(500);
  });

  test("the cards that pass a filter", async () => {
    const matching = 1_000;
    const { labels } = large;
    const byLabel = await blocks(matchingCards(large.id, { ...limit, labels }));
    const byDate = await blocks(matchingCards(large.id, { ...limit, due: "today" }));
    expect(byLabel).toBeLessThan(5 * matching);
    expect(byDate).toBeLessThan(5 * matching);
  });
});
