import { z } from "zod";
import { Failure } from "../../../platform/errors.ts";
import type { ImportRun } from "../context.ts";
import { source } from "../sources.ts";
import { Staging } from "../staging.ts";
import { asking, readBoard, type Ask } from "./api.ts";
import { TrelloAsk } from "./ask.ts";
import { readExport } from "./file.ts";
import { Reading } from "./reading.ts";
import { fetchUploads } from "./uploads.ts";
import { writeReading } from "./write.ts";

const nothing = async () => undefined;

/** A board from the file that Trello's "Export as JSON" writes, which lies in our storage. Nothing is made of it before all of it has been read. */
export const trelloFile = source(
  z.object({ storageKey: z.string() }),
  async (run, { storageKey }) =>
    Staging.lend(async (staging) => {
      const reading = new Reading(staging, (loss) => run.pending.lose(loss));
      await readExport(await run.deps.files.get(storageKey), reading, async () => {
        run.progress("reading", reading.count);
        await run.alive();
        await run.flush();
      });
      await reading.close(true);
      await writeReading(run, reading, nothing);
    }),
);

/** Boards from Trello itself, one after the other; of none anything is made before all of it has been read. */
export const trello = source(TrelloAsk, async (run, asked) => {
  const ask = asking(run, asked);
  for (const id of new Set(asked.boardIds)) await bring(run, ask, id, asked);
});

async function bring(run: ImportRun, ask: Ask, id: string, asked: z.infer<typeof TrelloAsk>) {
  await Staging.lend(async (staging) => {
    const reading = new Reading(staging, (loss) => run.pending.lose(loss));
    try {
      await readBoard(ask, id, asked.include, reading, async () => {
        run.progress("reading", reading.count);
        await staging.settle();
      });
    } catch (error) {
      if (!(error instanceof Failure) || error.failure !== "NOT_FOUND") throw error;
      const reason = "Trello has no such board, or the token may not read it.";
      return run.pending.lose({ kind: "board", sourceId: id, reason });
    }
    await reading.close(false);
    await writeReading(run, reading, (cards) =>
      asked.include.attachments ? fetchUploads(run, asked, cards) : nothing(),
    );
  });
}
