import { z } from "zod";
import { Failure } from "../../../platform/errors.ts";
import type { ImportContext } from "../job/context.ts";
import { source } from "../job/sources.ts";
import { minFreeBytes } from "../../../platform/storage/free-space.ts";
import { Staging } from "../../../platform/storage/staging.ts";
import type { Fetch } from "../write/files.ts";
import { recordedWriter } from "../write/step.ts";
import { trelloApiOf, fetchFrom, readBoard } from "./api.ts";
import { BoardReader } from "./board-reader.ts";
import { readExport } from "./file.ts";
import { reportIncomplete } from "./incomplete.ts";
import { TrelloInput } from "./input.ts";
import type { TrelloBoard } from "../../integrations/trello/shapes.ts";
import { writeTrelloBoard } from "./write-board.ts";

/** Imports a board from a stored export. */
export const trelloFile = source(z.object({ storageKey: z.string() }), (context, { storageKey }) =>
  importBoard(context, {
    isExport: true,
    read: async (reader, onPart) =>
      readExport(await context.deps.files.get(storageKey), reader, onPart, context.signal),
  }),
);

/** Imports boards from Trello's API. */
export const trello = source(TrelloInput, async (context, input) => {
  const call = trelloApiOf(context, input);
  const { include } = input;
  for (const id of new Set(input.boardIds)) {
    await importBoard(context, {
      isExport: false,
      read: (reader, onPart) =>
        readBoard(call, id, include, reader, onPart).catch((error: unknown) => {
          if (!(error instanceof Failure) || error.failure !== "NOT_FOUND") throw error;
          const reason = "Trello has no such board, or the token may not read it.";
          context.skip({ kind: "board", sourceId: id, reason });
          return null;
        }),
      ...(include.attachments ? { fetch: fetchFrom(context, input) } : {}),
    });
  }
});

/** How a board is read; without `fetch` its files stay links. */
type BoardSource = {
  isExport: boolean;
  read: (reader: BoardReader, onPart: () => Promise<void>) => Promise<TrelloBoard | null>;
  fetch?: Fetch;
};

/** Imports a board. It is read to its end before anything of it is written. */
const importBoard = (context: ImportContext, { isExport, read, fetch }: BoardSource) =>
  Staging.lend(minFreeBytes(context.deps.config), async (staging) => {
    context.progress("reading", 0);
    const reader = new BoardReader(staging, context.skip);
    const board = await read(reader, async () => {
      context.progress("reading", reader.count);
      await staging.flush();
      await context.checkAlive();
      await context.flush();
    });
    if (board === null) return;
    if (isExport) reader.addNamedLists();
    await reportIncomplete(reader, isExport, () => context.flush());
    await writeTrelloBoard(recordedWriter(context), board, reader, fetch);
  });
