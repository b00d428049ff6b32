import { externalMutation } from "../../kernel/procedures/external.ts";
import { badRequest, Failure } from "../../platform/errors.ts";
import { tooLarge } from "../../platform/http/body.ts";
import { rest } from "../../kernel/request/rest.ts";
import { peek } from "../../domain/attachments/type.ts";
import { dropFiles, expectFiles } from "./files.ts";
import { expectImport, queueImport } from "./start.ts";
import { Import } from "../../contract/resources/imports.ts";
import { viewImport } from "./view.ts";
import { sql } from "../../platform/db/sql.ts";

/** The most bytes that a file to import may have. */
export const importBytes = 256 * 1024 * 1024;

/** Imports a board from the file that Trello's "Export as JSON" writes. */
export const importTrelloFile = externalMutation("import.trelloFile")
  .meta(
    rest("Imports").post(
      "/imports/trello/file",
      "Import a board from Trello's JSON file",
      "The body is the file that Trello's “Export as JSON” writes, of at most 256 MiB. Answers the import, which then runs in the background: ask `import.get` how far it is and what did not come over whole. Importing the same board again makes only what is not there yet. REST only: over tRPC it is 415.",
      { requestBody: "bytes" },
    ),
  )
  .output(Import)
  .mutation(async ({ ctx }) => {
    const { requestBody, deps, workspace, caller, requestMetadata, transact } = ctx;
    if (requestBody === undefined) throw restOnly();
    if (requestBody.length !== undefined && requestBody.length > importBytes)
      throw tooLarge(importBytes);
    const from = { workspace, caller };
    const { noted, storageKey } = await transact(async (tx) => {
      const row = await expectImport(tx, from, "trelloFile");
      const [key = ""] = await expectFiles(tx, row);
      return { noted: row, storageKey: key };
    });
    try {
      const { bytes, head } = peek(requestBody.bytes);
      const { sha256, size } = await deps.files.put(storageKey, bytes, importBytes);
      if (size === 0) throw badRequest("The body is empty.");
      checkHead(head());
      const asked = { ask: { storageKey }, same: `file ${sha256}`, requestMetadata };
      const row = await transact((tx) => queueImport(tx, deps, { ...from, noted }, asked));
      if (row.id !== noted.id) await deps.files.remove(storageKey);
      return viewImport(row, workspace);
    } catch (error) {
      await dropFiles(deps, noted.id);
      await deps.db.write(sql`DELETE FROM imports WHERE id = ${noted.id} AND input = ''`);
      throw error;
    }
  });

/** 400 for what shows in its first character that it is none of Trello's exports. */
function checkHead(head: Uint8Array) {
  const [first] = /[^\s\u{feff}]/u.exec(new TextDecoder().decode(head)) ?? [];
  if (first === "{") return;
  throw badRequest(
    first === "<"
      ? "This is a web page, not JSON: sign in to Trello and export the board again."
      : "This is not what Trello's “Export as JSON” writes, which begins with {.",
  );
}

const restOnly = () =>
  new Failure("UNSUPPORTED_MEDIA_TYPE", [
    {
      message: "The file goes over REST only: POST it to /api/v1/imports/trello/file.",
      code: "rest_only",
    },
  ]);
