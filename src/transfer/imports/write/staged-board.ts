import { minFreeBytes } from "../../../platform/storage/free-space.ts";
import { Staging, type Handle } from "../../../platform/storage/staging.ts";
import type { ImportContext } from "../job/context.ts";
import { writeBoardCards } from "./board-cards.ts";
import { writeBoard } from "./board.ts";
import type { Fetch } from "./files.ts";
import { checkMax, repeated } from "./limits.ts";
import type { MappedMember, SourceBoard, SourceCard } from "./model.ts";
import { mappedPeople } from "./people.ts";
import { recordedWriter } from "./step.ts";

/** A card in a staging file, by its id at the source. */
export type StagedCard = { id: string; at: Handle };

/** A board that was read to its end. */
export type StagedBoard = {
  board: SourceBoard;
  /** The cards of each list in their order. */
  lists: StagedCard[][];
  /** Converts a staged card; `mapped` has members by the ids of people. Null is not imported. */
  toCard: (staged: unknown, mapped: ReadonlyMap<string, MappedMember>) => SourceCard | null;
  /** Without it, files stay links. */
  fetch?: Fetch | undefined;
};

/** Reads a board; null when the source does not have it. */
export type ReadBoard = (id: string, staging: Staging) => Promise<StagedBoard | null>;

/** Imports boards one after the other. Each is read before anything of it is written. */
export async function importBoards(
  context: ImportContext,
  ids: Iterable<string>,
  missing: string,
  readBoard: ReadBoard,
): Promise<void> {
  const uniqueIds = new Set(ids);
  checkMax("boards", uniqueIds.size);
  for (const id of uniqueIds) {
    context.progress("reading", 0);
    await Staging.lend(minFreeBytes(context.deps.config), async (staging) => {
      const board = await readBoard(id, staging);
      if (board === null) context.skip({ kind: "board", sourceId: id, reason: missing });
      else await writeStagedBoard(context, staging, board);
    });
  }
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

/** Writes a board whose cards were staged. */
export async function writeStagedBoard(
  context: ImportContext,
  staging: Staging,
  { board, lists, toCard, fetch }: StagedBoard,
): Promise<void> {
  const writer = await writeBoard(recordedWriter(context), board);
  const mapped = await mappedPeople(context.deps.db.read, context.row);
  await writeBoardCards(writer, {
    lists: distinctCards(context, lists),
    read: async (entries: StagedCard[]) => {
      const cards: SourceCard[] = [];
      for (const staged of await staging.read(entries.map(({ at }) => at))) {
        const card = toCard(staged, mapped);
        if (card !== null) cards.push(card);
        await context.checkAlive();
      }
      return cards;
    },
    bytesOf: ({ at }) => at.length,
    fetch,
  });
}
