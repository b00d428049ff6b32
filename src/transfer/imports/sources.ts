import type { z } from "zod";
import type { SourceName } from "../../contract/vocabulary/import-sources.ts";
import type { ImportRun } from "./context.ts";

/** Brings everything over that was asked for. It may begin anew at any point: what is there already is known by its source id. */
export type SourceRun = (run: ImportRun, ask: unknown) => Promise<void>;

/** The sources that there are. */
export type Sources = { [Name in SourceName]?: SourceRun };

/** A source, from what it is asked and how it runs. */
export const source =
  <Ask>(Ask: z.ZodType<Ask>, run: (run: ImportRun, ask: Ask) => Promise<void>): SourceRun =>
  (importRun, ask) =>
    run(importRun, Ask.parse(ask));
