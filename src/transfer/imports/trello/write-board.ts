import { LoopTurns } from "../../../platform/loop-turns.ts";
import { inParts } from "../../../platform/storage/staging.ts";
import { writeBoardCards } from "../write/board-cards.ts";
import { writeBoard } from "../write/board.ts";
import type { Fetch } from "../write/files.ts";
import { checkCardBytes } from "../write/limits.ts";
import type { SourceCard } from "../write/model.ts";
import { mappedPeople } from "../write/people.ts";
import { fieldsById } from "../write/source-fields.ts";
import type { Writer } from "../write/step.ts";
import { skipCard } from "../write/written-card.ts";
import type { BoardReader, CardEntry } from "./board-reader.ts";
import { reportHarmless } from "./incomplete.ts";
import { mapTrelloBoard } from "./map-board.ts";
import { mapTrelloCard } from "./map-card.ts";
import type { MapPartsContext } from "./map-parts.ts";
import {
  TrelloCard,
  TrelloChecklist,
  TrelloComment,
  type TrelloBoard,
} from "../../integrations/trello/shapes.ts";

/** Writes a board that was read: its cards list by list, each in its order. */
export async function writeTrelloBoard(
  writer: Writer,
  board: TrelloBoard,
  reader: BoardReader,
  fetch?: Fetch,
): Promise<void> {
  const { context } = writer;
  const labels = reader.labels.of(board.id, board.labelNames);
  const source = mapTrelloBoard(board, reader, labels, context.skip);
  const onBoard = await writeBoard(writer, source);
  const mapped = await mappedPeople(context.deps.db.read, context.row);
  const mapping: MapPartsContext = { reader, labels, fields: fieldsById(source), mapped };
  const { lists, orphans } = sortCards(
    reader,
    source.lists.map(({ sourceId }) => sourceId),
  );
  const readEntries = (entries: CardEntry[]) => readCards(entries, mapping);
  const bytesOf = (entry: CardEntry) => bytesWith(reader, entry);
  await writeBoardCards(onBoard, { lists, read: readEntries, bytesOf, fetch });
  for (const part of inParts(orphans, bytesOf)) {
    for (const card of await readEntries(part))
      skipCard(context.pending, card, "Its list is not in the source.");
    await context.flush();
  }
  reportHarmless(reader);
}

/** The cards of each list in their order, and the cards without a list. */
function sortCards({ cards }: BoardReader, lists: string[]) {
  const byList = new Map(lists.map((id): [string, CardEntry[]] => [id, []]));
  const orphans: CardEntry[] = [];
  for (const card of cards.values()) (byList.get(card.idList ?? "") ?? orphans).push(card);
  const inOrder = (entries: CardEntry[]) => entries.toSorted((one, other) => one.pos - other.pos);
  return { lists: [...byList.values()].map(inOrder), orphans };
}

/** The bytes of a staged card with its parts. */
function bytesWith({ checklistsOf, commentsOf }: BoardReader, { id, at }: CardEntry): number {
  const handles = [at, ...(checklistsOf.get(id) ?? []), ...(commentsOf.get(id) ?? [])];
  const bytes = handles.reduce((sum, { length }) => sum + length, 0);
  checkCardBytes(id, bytes);
  return bytes;
}

/** Reads staged cards with their parts, and converts them. */
async function readCards(entries: CardEntry[], mapping: MapPartsContext): Promise<SourceCard[]> {
  const { staging, checklistsOf, commentsOf } = mapping.reader;
  const [cards, checklists, comments] = await Promise.all([
    staging.read(entries.map(({ at }) => at)),
    Promise.all(entries.map(({ id }) => staging.read(checklistsOf.get(id) ?? []))),
    Promise.all(entries.map(({ id }) => staging.read(commentsOf.get(id) ?? []))),
  ]);
  const turns = new LoopTurns();
  const mapped: SourceCard[] = [];
  for (const [index, card] of cards.entries()) {
    const parts = {
      card: TrelloCard.parse(card),
      checklists: (checklists[index] ?? []).map((value) => TrelloChecklist.parse(value)),
      comments: (comments[index] ?? []).map((value) => TrelloComment.parse(value)),
    };
    mapped.push(mapTrelloCard(parts, mapping));
    await turns.next();
  }
  return mapped;
}
