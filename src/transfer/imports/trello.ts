import { externalMutation } from "../../kernel/procedures/external.ts";
import { Failure } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { listTrelloBoards } from "../integrations/trello/boards.ts";
import { startImport } from "./start.ts";
import { TrelloAsk } from "./trello/ask.ts";
import { Import } from "../../contract/resources/imports.ts";
import { viewImport } from "./view.ts";

/** Imports boards from Trello itself. */
export const importTrello = externalMutation("import.trello", TrelloAsk)
  .meta(
    rest("Imports").post(
      "/imports/trello/boards",
      "Import boards from Trello",
      "Answers the import, which then runs in the background: ask `import.get` how far it is and what did not come over whole. Key and token are kept sealed until it ends. Trello's limits are waited for. Importing the same boards again makes only what is not there yet. A refused key or token is 403.",
    ),
  )
  .output(Import)
  .mutation(async ({ ctx, input }) => {
    const { deps, workspace, caller, requestMetadata, transact } = ctx;
    const { workspacePublicId: _, ...ask } = input;
    await checkCredentials({ apiUrl: deps.config.TRELLO_API_URL }, ask);
    const same = `boards ${[...new Set(ask.boardIds)].toSorted().join()} ${JSON.stringify(ask.include)}`;
    const row = await transact((tx) =>
      startImport(tx, deps, { workspace, caller }, "trello", { ask, same, requestMetadata }),
    );
    return viewImport(row, workspace);
  });

/** 403 for what Trello refuses at once; when it cannot be asked now, the import itself will wait for it. */
async function checkCredentials(...asked: Parameters<typeof listTrelloBoards>) {
  await listTrelloBoards(...asked).catch((error: unknown) => {
    if (error instanceof Failure && error.failure !== "FORBIDDEN") return;
    throw error;
  });
}
