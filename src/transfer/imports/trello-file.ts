import { Import } from "../../contract/resources/imports.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { startOf, withoutPreamble } from "../../platform/json/readable.ts";
import { badRequest } from "../../platform/errors.ts";
import { reserveFiles } from "./job/files.ts";
import { queueImport, reserveImport } from "./job/start.ts";
import { receiveFile } from "./uploads.ts";

/** The largest file to import, in bytes. */
const importBytes = 256 * 1024 * 1024;

/** Imports a board from the file that Trello's "Export as JSON" writes. */
export const importTrelloFile = externalMutation("import.trelloFile")
  .meta(
    rest("Imports").post(
      "/imports/trello/file",
      "Import a Trello file",
      "Starts an import from a Trello file, which runs in the background: `import.get` returns " +
        "progress and report. The body is a file from Trello's “Export as JSON”, or a form with " +
        "it, of at most 256 MiB. Importing the same board again creates only what is missing. " +
        "Files are accepted over REST only; tRPC returns 415.",
      { requestBody: "bytes" },
    ),
  )
  .output(Import)
  .mutation(({ ctx }) =>
    receiveFile(ctx, {
      path: "/imports/trello/file",
      maxBytes: importBytes,
      reserve: () =>
        ctx.transact(async (tx) => {
          const row = await reserveImport(tx, ctx, "trelloFile");
          const [storageKey = ""] = await reserveFiles(tx, row);
          return { row, storageKey };
        }),
      async examine({ storageKey }, { sha256, size, head, countText }) {
        if (size === 0)
          throw badRequest("file_empty", "The body is empty. Send the exported board.");
        checkHead(head);
        await countText(size);
        return { input: { storageKey }, content: `file ${sha256}` };
      },
      queue: ({ row }, content) => ctx.transact((tx) => queueImport(tx, ctx, row, content)),
      // An import that was cancelled meanwhile stays.
      deleteRows: ({ row }) => sql`DELETE FROM imports WHERE id = ${row.id} AND status = 'queued'
        AND fingerprint IS NULL`,
    }),
  );

/** 400 when the first character shows that this is not an export from Trello. */
function checkHead(head: Uint8Array) {
  const [first] = withoutPreamble(startOf(head));
  if (first === "{") return;
  throw badRequest(
    "file_unreadable",
    first === "<"
      ? "This is a web page, not JSON: sign in to Trello and export the board again."
      : "This is not a file from Trello's “Export as JSON”, which starts with {.",
  );
}
