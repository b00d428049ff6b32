import { z } from "zod";
import { Import } from "../../contract/resources/imports.ts";
import { name } from "../../contract/vocabulary/texts.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { badRequest } from "../../platform/errors.ts";
import { examineCsv } from "./csv/examine.ts";
import { csvOptions } from "./csv/table.ts";
import { reserveFiles } from "./job/files.ts";
import { queueImport, reserveImport } from "./job/start.ts";
import { receiveFile } from "./uploads.ts";

const csvBytes = 64 * 1024 * 1024;

const CsvInput = z.strictObject({
  boardName: name(255).meta({
    description: "The name of the board. A later file with the same name adds to the same board.",
    examples: ["Website"],
  }),
  ...csvOptions,
});

/** Imports the lines of a CSV file as the cards of a new board. */
export const importCsv = externalMutation("import.csv", CsvInput)
  .meta(
    rest("Imports").post(
      "/imports/csv",
      "Import a CSV file",
      "Starts an import of a CSV file, which runs in the background: `import.get` returns " +
        "progress and report. The body is the file, or a form with it, of at most 64 MiB and " +
        "100,000 cards. Its header tells which program wrote it, and what its columns mean. Each " +
        "line becomes a card, in the order of the file; `import.csvPreview` shows how columns " +
        "are read. Importing the same board name again creates only cards whose id, or else " +
        "title, is new. Returns 400 if the file is not CSV, a column is missing, or its dates " +
        "need `dateOrder`. Files are accepted over REST only; tRPC " +
        "returns 415.",
      { requestBody: "bytes" },
    ),
  )
  .output(Import)
  .mutation(({ ctx, input }) =>
    receiveFile(ctx, {
      path: "/imports/csv",
      maxBytes: csvBytes,
      reserve: () =>
        ctx.transact(async (tx) => {
          const row = await reserveImport(tx, ctx, "csv");
          const [storageKey = ""] = await reserveFiles(tx, row);
          return { row, storageKey };
        }),
      async examine({ storageKey }, { sha256, size, head, countText }) {
        if (size === 0) throw badRequest("file_empty", "The body is empty. Send the file.");
        await examineCsv(head, () => ctx.deps.files.get(storageKey), input);
        await countText(size);
        const content = JSON.stringify([sha256, input]);
        return { input: { ...input, storageKey }, content };
      },
      queue: ({ row }, content) => ctx.transact((tx) => queueImport(tx, ctx, row, content)),
      // An import that was cancelled meanwhile stays.
      deleteRows: ({ row }) => sql`DELETE FROM imports WHERE id = ${row.id} AND status = 'queued'
        AND fingerprint IS NULL`,
    }),
  );
