import type { SourceCard } from "../model.ts";
import type { ImportRun } from "../context.ts";
import { heaviest, weightOf, writeCards } from "./cards.ts";
import type { Target } from "./step.ts";
import { lookAnew } from "./statistics.ts";

/** Does something with cards before they are written: fetches their files. */
export type Prepare = (cards: SourceCard[]) => Promise<void>;

/** Cards list by list, each in its order, by their ids at the source; `read` reads some of them whole. */
export type InLists<Entry extends { id: string }> = {
  lists: Entry[][];
  read: (entries: Entry[]) => Promise<SourceCard[]>;
  prepare?: Prepare;
};

/** How many cards are read back at once. */
export const atOnce = 100;

const cameBefore = `SELECT "sourceId" FROM imported_things WHERE "boardId" = $1 AND source = $2 AND kind = 'card'`;

/** Writes the cards of a board, as many at a time as one transaction bears. */
export async function writeInLists<Entry extends { id: string }>(
  run: ImportRun,
  target: Target,
  { lists, read, prepare }: InLists<Entry>,
): Promise<void> {
  const total = lists.reduce((sum, { length }) => sum + length, 0);
  run.progress("cards", 0, total);
  const values = [target.board.id, run.row.family];
  const rows = await run.deps.db.read<{ sourceId: string }>(cameBefore, values);
  const known = new Set(rows.map(({ sourceId }) => sourceId));
  let done = 0;
  for (const entries of lists) {
    let from = 0;
    for await (const cards of handfuls(entries, read)) {
      await prepare?.(cards);
      const to = from + cards.length;
      const before = entries[from - 1]?.id ?? null;
      const after = entries.slice(to).find(({ id }) => known.has(id))?.id ?? null;
      await writeCards(run, target, [{ cards, before, after }]);
      from = to;
      run.progress("cards", (done += cards.length), total);
    }
  }
  await lookAnew(run.deps, total - known.size);
}

/** Cards in their order, as many at a time as go into one transaction. */
async function* handfuls<Entry>(entries: Entry[], read: (some: Entry[]) => Promise<SourceCard[]>) {
  let [waiting, weight]: [SourceCard[], number] = [[], 0];
  for (let at = 0; at < entries.length; at += atOnce) {
    for (const card of await read(entries.slice(at, at + atOnce))) {
      if (waiting.length > 0 && weight + weightOf(card) > heaviest) {
        yield waiting;
        [waiting, weight] = [[], 0];
      }
      waiting.push(card);
      weight += weightOf(card);
    }
  }
  if (waiting.length > 0) yield waiting;
}
