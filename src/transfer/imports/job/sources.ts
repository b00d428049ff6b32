import type { z } from "zod";
import type { SourceName } from "../../../contract/vocabulary/import-sources.ts";
import type { ImportContext } from "./context.ts";

/** Imports from one source. It may start again at any point: it finds what was created before. */
export type SourceImport = (context: ImportContext, input: unknown) => Promise<void>;

/** The sources by name. */
export type ImportSources = { [Name in SourceName]?: SourceImport };

/** A source, from the schema of its input and its import. */
export const source =
  <Input>(
    Input: z.ZodType<Input>,
    run: (context: ImportContext, input: Input) => Promise<void>,
  ): SourceImport =>
  (context, input) =>
    run(context, Input.parse(input));
