import { z } from "zod";
import { source } from "../sources.ts";
import { Staging } from "../staging.ts";
import { readExport } from "./file.ts";
import { Reading } from "./reading.ts";
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
      });
      await reading.close(true);
      await writeReading(run, reading, nothing);
    }),
);
