import { sql } from "../../../platform/db/sql.ts";
import { minFreeBytes } from "../../../platform/storage/free-space.ts";
import { Staging, type Staged } from "../../../platform/storage/staging.ts";
import type { ImportContext } from "../job/context.ts";
import { writeBoard } from "./board.ts";
import { analyzeTables, cardBatches, writeCards } from "./cards.ts";
import type { Fetch } from "./files.ts";
import { checkCardBytes, checkMax, repeated } from "./limits.ts";
import { mappedPeople } from "./people.ts";
import type { Members, SourceBoard, SourceCard } from "./source.ts";
import { recordedWriter } from "./step.ts";
import { skipCard } from "./written-card.ts";

/** A card that was read, by its id at the source: its values, and those of its parts. */
export type StagedCard = { id: string; values: Staged[] };

/** A board that was read to its end. */
export type StagedBoard = {
  board: SourceBoard;
  /** The cards of each list in their order. */
  lists: StagedCard[][];
  /** The cards whose list is not in the source. */
  loose?: StagedCard[];
  /** Converts a card; `members` has those that its people are. Null is not imported. */
  toCard: (values: unknown[], members: Members) => SourceCard | null;
  /** The members that people of the source are without a mapping. */
  connected?: Members;
  /** Without it, files stay links. */
  fetch?: Fetch | undefined;
  /** Reports what comes after everything else. */
  reportLast?: () => void;
};

/** Imports a board, unless the source does not have it. It is read before it is written. */
export function importBoard(
  context: ImportContext,
  read: (staging: Staging) => Promise<StagedBoard | null>,
): Promise<void> {
  context.progress("reading", 0);
  return Staging.lend(minFreeBytes(context.deps.config), async (staging) => {
    const board = await read(staging);
    if (board !== null) await writeStagedBoard(context, staging, board);
  });
}

/** Imports boards one after the other; reports those that the source does not have. */
export async function importBoards(
  context: ImportContext,
  ids: Iterable<string>,
  missing: string,
  read: (id: string, staging: Staging) => Promise<StagedBoard | null>,
): Promise<void> {
  const uniqueIds = new Set(ids);
  checkMax("boards", uniqueIds.size);
  for (const id of uniqueIds)
    await importBoard(context, async (staging) => {
      const board = await read(id, staging);
      if (board === null) context.skip({ kind: "board", sourceId: id, reason: missing });
      return board;
    });
}

/** The cards of lists, each once; reports the others. */
function distinctCards(context: ImportContext, lists: StagedCard[][]): StagedCard[][] {
  const ids = new Set<string>();
  const isNew = ({ id }: StagedCard) => {
    const { size } = ids;
    if (ids.add(id).size > size) return true;
    context.skip({ kind: "card", sourceId: id, reason: repeated });
    return false;
  };
  return lists.map((cards) => cards.filter(isNew));
}

/** Writes a board that was read, as many cards in a transaction as its time limit allows. */
async function writeStagedBoard(
  context: ImportContext,
  staging: Staging,
  { board, connected = new Map(), loose = [], fetch, toCard, ...staged }: StagedBoard,
): Promise<void> {
  const { db } = context.deps;
  const members = new Map([...connected, ...(await mappedPeople(db.read, context.row))]);
  const writer = await writeBoard(recordedWriter(context, members), board);
  async function* read(entries: StagedCard[]) {
    for (const { id, values } of entries) {
      checkCardBytes(
        id,
        values.reduce((sum, { length }) => sum + length, 0),
      );
      const card = toCard(await staging.read(values), members);
      await context.checkAlive();
      if (card !== null) yield card;
    }
  }
  const lists = distinctCards(context, staged.lists);
  const total = lists.reduce((sum, { length }) => sum + length, 0);
  context.progress("cards", 0, total);
  const rows = await db.read<{ sourceId: string }>(sql`
    SELECT "sourceId" FROM imported_items
    WHERE "boardId" = ${writer.board?.id ?? null} AND source = ${context.row.family}
      AND kind = 'card'`);
  const importedIds = new Set(rows.map(({ sourceId }) => sourceId));
  let doneCount = 0;
  for (const entries of lists) {
    let [from, next] = [0, 0];
    for await (const cards of cardBatches(read(entries))) {
      const to = from + cards.length;
      const before = entries[from - 1]?.id ?? null;
      next = Math.max(next, to);
      while (next < entries.length && !importedIds.has(entries[next]?.id ?? "")) next++;
      const after = entries[next]?.id ?? null;
      await writeCards(writer, [{ cards, before, after }], fetch);
      from = to;
      context.progress("cards", (doneCount += cards.length), total);
    }
  }
  await analyzeTables(context.deps, total - importedIds.size);
  for await (const card of read(loose)) {
    skipCard({ report: context.pending, members }, card, "Its list is not in the source.");
    await context.flush();
  }
  staged.reportLast?.();
}
