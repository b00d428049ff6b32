import { Import } from "../../contract/resources/imports.ts";
import { storeReserved } from "../../domain/attachments/store.ts";
import { peek } from "../../domain/attachments/type.ts";
import { storageMutation } from "../../kernel/procedures/external.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { badRequest } from "../../platform/errors.ts";
import { tooLarge } from "../../platform/http/body.ts";
import { discardFiles, reserveFiles } from "./job/files.ts";
import { queueImport, reserveImport } from "./job/start.ts";
import { inUploadTurn, restOnly } from "./uploads.ts";

/** The largest file to import, in bytes. */
export const importBytes = 256 * 1024 * 1024;

/** Imports a board from the file that Trello's "Export as JSON" writes. */
export const importTrelloFile = storageMutation("import.trelloFile")
  .meta(
    rest("Imports").post(
      "/imports/trello/file",
      "Import a Trello file",
      "The body is a file from Trello's “Export as JSON”, at most 256 MiB. Returns the " +
        "import, which runs in the background: `import.get` returns progress and report. " +
        "Importing the same board again creates only what is missing. REST only: 415 over " +
        "tRPC.",
      { requestBody: "bytes" },
    ),
  )
  .output(Import)
  .mutation(async ({ ctx }) => {
    const { requestBody, deps, transact } = ctx;
    if (requestBody === undefined) throw restOnly("/imports/trello/file");
    if (requestBody.length !== undefined && requestBody.length > importBytes)
      throw tooLarge(importBytes);
    const discard = async (importId: bigint, text: { refund: () => Promise<void> }) => {
      await text.refund();
      await discardFiles(deps, importId);
      // An import that was cancelled meanwhile stays.
      await deps.db.write(sql`DELETE FROM imports WHERE id = ${importId} AND status = 'queued'
        AND fingerprint IS NULL`);
    };
    return inUploadTurn(ctx, (text) =>
      storeReserved({
        reserve: () =>
          transact(async (tx) => {
            const row = await reserveImport(tx, ctx, "trelloFile");
            const [key = ""] = await reserveFiles(tx, row);
            return { row, key };
          }),
        async store({ key }) {
          const { bytes, head } = peek(requestBody.bytes);
          const { sha256, size } = await deps.files.put(key, bytes, importBytes);
          if (size === 0)
            throw badRequest("file_empty", "The body is empty. Send the exported board.");
          checkHead(head());
          await text.count(size);
          return { input: { storageKey: key }, content: `file ${sha256}` };
        },
        async complete({ row }, content) {
          const queued = await transact((tx) => queueImport(tx, ctx, row, content));
          if (queued.publicId !== row.publicId) await discard(row.id, text);
          return queued;
        },
        discard: ({ row }) => discard(row.id, text),
      }),
    );
  });

/** 400 when the first character shows that this is not an export from Trello. */
function checkHead(head: Uint8Array) {
  const [first] = /[^\s\u{feff}]/u.exec(new TextDecoder().decode(head)) ?? [];
  if (first === "{") return;
  throw badRequest(
    "file_unreadable",
    first === "<"
      ? "This is a web page, not JSON: sign in to Trello and export the board again."
      : "This is not a file from Trello's “Export as JSON”, which starts with {.",
  );
}
