import { sql } from "../../../platform/db/sql.ts";
import { maxWeight, weightOf, writeCards } from "./cards.ts";
import type { SourceCard } from "./model.ts";
import { analyzeTables } from "./statistics.ts";
import type { Writer } from "./step.ts";

/** The cards of a board, list by list, each in its order, by their source ids. */
export type BoardCards<Entry extends { id: string }> = {
  lists: Entry[][];
  /** Reads some of the cards. */
  read: (entries: Entry[]) => Promise<SourceCard[]>;
  /** Prepares cards that are written next, such as by fetching their files. */
  prepare?: (cards: SourceCard[]) => Promise<void>;
};

/** How many cards are read at once. */
export const readSize = 100;

/** Writes the cards of a board, as many in a transaction as its time limit allows. */
export async function writeBoardCards<Entry extends { id: string }>(
  writer: Writer,
  { lists, read, prepare }: BoardCards<Entry>,
): Promise<void> {
  const { context, board } = writer;
  const total = lists.reduce((sum, { length }) => sum + length, 0);
  context.progress("cards", 0, total);
  const rows = await context.deps.db.read<{ sourceId: string }>(sql`
    SELECT "sourceId" FROM imported_items
    WHERE "boardId" = ${board?.id ?? null} AND source = ${context.row.family} AND kind = 'card'`);
  const known = new Set(rows.map(({ sourceId }) => sourceId));
  let done = 0;
  for (const entries of lists) {
    let from = 0;
    for await (const cards of batches(entries, read)) {
      await prepare?.(cards);
      const to = from + cards.length;
      const before = entries[from - 1]?.id ?? null;
      const after = entries.slice(to).find(({ id }) => known.has(id))?.id ?? null;
      await writeCards(writer, [{ cards, before, after }]);
      from = to;
      context.progress("cards", (done += cards.length), total);
    }
  }
  await analyzeTables(context.deps, total - known.size);
}

/** Reads cards in their order, in batches for one transaction each. */
async function* batches<Entry>(entries: Entry[], read: (some: Entry[]) => Promise<SourceCard[]>) {
  let [batch, weight]: [SourceCard[], number] = [[], 0];
  for (let at = 0; at < entries.length; at += readSize) {
    for (const card of await read(entries.slice(at, at + readSize))) {
      if (batch.length > 0 && weight + weightOf(card) > maxWeight) {
        yield batch;
        [batch, weight] = [[], 0];
      }
      batch.push(card);
      weight += weightOf(card);
    }
  }
  if (batch.length > 0) yield batch;
}
