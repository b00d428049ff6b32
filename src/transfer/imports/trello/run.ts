import { z } from "zod";
import { Failure } from "../../../platform/errors.ts";
import type { ImportContext } from "../job/context.ts";
import { source } from "../job/sources.ts";
import { Staging } from "../../../platform/storage/staging.ts";
import { recordedIdentity } from "../write/recorded.ts";
import type { Writer } from "../write/step.ts";
import { apiOf, readBoard, type Call } from "./api.ts";
import { BoardReader } from "./board-reader.ts";
import { readExport } from "./file.ts";
import { TrelloInput } from "./input.ts";
import { fetchUploads } from "./uploads.ts";
import { writeTrelloBoard } from "./write-board.ts";

const writerOf = (context: ImportContext): Writer => ({
  context,
  identity: recordedIdentity(context.row),
  hasHistory: false,
  board: null,
});

/** Imports a board from a stored export. The file is read to its end before anything is written. */
export const trelloFile = source(
  z.object({ storageKey: z.string() }),
  async (context, { storageKey }) =>
    Staging.lend(async (staging) => {
      context.progress("reading", 0);
      const reader = new BoardReader(staging, (issue) => context.pending.skip(issue));
      await readExport(await context.deps.files.get(storageKey), reader, async () => {
        context.progress("reading", reader.count);
        await context.checkAlive();
        await context.flush();
      });
      await reader.close(true);
      await writeTrelloBoard(writerOf(context), reader);
    }),
);

/** Imports boards from Trello's API. Each is read to its end before anything of it is written. */
export const trello = source(TrelloInput, async (context, input) => {
  const call = apiOf(context, input);
  for (const id of new Set(input.boardIds)) await importBoard(context, call, id, input);
});

async function importBoard(
  context: ImportContext,
  call: Call,
  id: string,
  input: z.infer<typeof TrelloInput>,
) {
  await Staging.lend(async (staging) => {
    const reader = new BoardReader(staging, (issue) => context.pending.skip(issue));
    try {
      await readBoard(call, id, input.include, reader, async () => {
        context.progress("reading", reader.count);
        await staging.flush();
      });
    } catch (error) {
      if (!(error instanceof Failure) || error.failure !== "NOT_FOUND") throw error;
      const reason = "Trello has no such board, or the token may not read it.";
      return context.pending.skip({ kind: "board", sourceId: id, reason });
    }
    await reader.close(false);
    const writer = writerOf(context);
    await writeTrelloBoard(writer, reader, async (cards) => {
      if (input.include.attachments) await fetchUploads(writer, input, cards);
    });
  });
}
