import { z } from "zod";
import { Failure } from "../../../platform/errors.ts";
import type { ImportContext } from "../job/context.ts";
import { source } from "../job/sources.ts";
import type { Staging } from "../../../platform/storage/staging.ts";
import { fieldsById } from "../write/source-custom-fields.ts";
import {
  importBoard,
  importBoards,
  type StagedBoard,
  type StagedCard,
} from "../write/staged-board.ts";
import { trelloApiOf, fetchFrom, readBoard } from "./api.ts";
import { BoardReader } from "./board-reader.ts";
import { readExport } from "./file.ts";
import { reportHarmless, reportIncomplete } from "./incomplete.ts";
import { TrelloInput } from "./input.ts";
import { mapTrelloBoard } from "./map-board.ts";
import { mapTrelloCard } from "./map-card.ts";
import {
  TrelloCard,
  TrelloChecklist,
  TrelloComment,
  type TrelloBoard,
} from "../../integrations/trello/shapes.ts";

/** Imports a board from a stored export. */
export const trelloFile = source(z.object({ storageKey: z.string() }), (context, { storageKey }) =>
  importBoard(context, async (staging) => {
    const reader = new BoardReader(staging, context.skip);
    const bytes = await context.deps.files.get(storageKey);
    const board = await readExport(bytes, reader, onPart(context, staging, reader), context.signal);
    reader.addNamedLists();
    await reportIncomplete(reader, true, () => context.flush());
    return boardOf(context, board, reader);
  }),
);

/** Imports boards from Trello's API. */
export const trello = source(TrelloInput, async (context, input) => {
  const call = trelloApiOf(context, input);
  const { include } = input;
  const fetch = include.attachments ? fetchFrom(context, input) : undefined;
  const missing = "Trello has no such board, or the token may not read it.";
  await importBoards(context, input.boardIds, missing, async (id, staging) => {
    const reader = new BoardReader(staging, context.skip);
    try {
      const board = await readBoard(call, id, include, reader, onPart(context, staging, reader));
      await reportIncomplete(reader, false, () => context.flush());
      return { ...boardOf(context, board, reader), fetch };
    } catch (error) {
      if (error instanceof Failure && error.failure === "NOT_FOUND") return null;
      throw error;
    }
  });
});

const onPart = (context: ImportContext, staging: Staging, reader: BoardReader) => async () => {
  context.progress("reading", reader.count);
  await staging.flush();
  await context.checkAlive();
  await context.flush();
};

/** A board that was read: its cards list by list, each in its order, with their parts. */
function boardOf(context: ImportContext, head: TrelloBoard, reader: BoardReader): StagedBoard {
  const labels = reader.labels.of(head.id, head.labelNames);
  const board = mapTrelloBoard(head, reader, labels, context.skip);
  const { cards, checklistsOf, commentsOf } = reader;
  const lists = new Map(board.lists.map(({ publicId }): [string, StagedCard[]] => [publicId, []]));
  const loose: StagedCard[] = [];
  const inOrder = [...cards.values()].toSorted((one, other) => one.pos - other.pos);
  for (const { id, idList, at } of inOrder) {
    const values = [at, ...(checklistsOf.get(id) ?? []), ...(commentsOf.get(id) ?? [])];
    (lists.get(idList ?? "") ?? loose).push({ id, values });
  }
  const mapping = { reader, labels, fields: fieldsById(board) };
  return {
    board,
    lists: [...lists.values()],
    loose,
    toCard([value, ...parts], members) {
      const card = TrelloCard.parse(value);
      const count = checklistsOf.get(card.id)?.length ?? 0;
      const checklists = parts.slice(0, count).map((part) => TrelloChecklist.parse(part));
      const comments = parts.slice(count).map((part) => TrelloComment.parse(part));
      return mapTrelloCard({ card, checklists, comments }, { ...mapping, members });
    },
    reportLast: () => reportHarmless(reader),
  };
}
