import { inParts } from "../../../platform/storage/staging.ts";
import { sql } from "../../../platform/db/sql.ts";
import { analyzeTables, cardBatches, writeCards } from "./cards.ts";
import { storeFiles, type Fetch } from "./files.ts";
import type { SourceCard } from "./model.ts";
import type { Writer } from "./step.ts";

/** The cards of a board, list by list, each in its order, by their source ids. */
export type BoardCards<Entry extends { id: string }> = {
  lists: Entry[][];
  /** Reads some of the cards. */
  read: (entries: Entry[]) => Promise<SourceCard[]>;
  /** The bytes of a card before it is read. */
  bytesOf: (entry: Entry) => number;
  /** Without it, files stay links. */
  fetch?: Fetch | undefined;
};

/** Writes the cards of a board, as many in a transaction as its time limit allows. */
export async function writeBoardCards<Entry extends { id: string }>(
  writer: Writer,
  { lists, read, bytesOf, fetch }: BoardCards<Entry>,
): Promise<void> {
  const { context, board } = writer;
  const total = lists.reduce((sum, { length }) => sum + length, 0);
  context.progress("cards", 0, total);
  const rows = await context.deps.db.read<{ sourceId: string }>(sql`
    SELECT "sourceId" FROM imported_items
    WHERE "boardId" = ${board?.id ?? null} AND source = ${context.row.family} AND kind = 'card'`);
  const importedIds = new Set(rows.map(({ sourceId }) => sourceId));
  let doneCount = 0;
  for (const entries of lists) {
    let [from, next] = [0, 0];
    for await (const cards of cardBatches(readAll(inParts(entries, bytesOf), read))) {
      if (fetch !== undefined) await storeFiles(writer, cards, fetch);
      const to = from + cards.length;
      const before = entries[from - 1]?.id ?? null;
      next = Math.max(next, to);
      while (next < entries.length && !importedIds.has(entries[next]?.id ?? "")) next++;
      const after = entries[next]?.id ?? null;
      await writeCards(writer, [{ cards, before, after }]);
      from = to;
      context.progress("cards", (doneCount += cards.length), total);
    }
  }
  await analyzeTables(context.deps, total - importedIds.size);
}

async function* readAll<Entry>(
  parts: Iterable<Entry[]>,
  readPart: (some: Entry[]) => Promise<SourceCard[]>,
) {
  for (const part of parts) yield* await readPart(part);
}
