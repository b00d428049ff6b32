import { Import } from "../../contract/resources/imports.ts";
import { externalMutation } from "../../kernel/procedures/external-mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Failure } from "../../platform/errors.ts";
import { listTrelloBoards } from "../integrations/trello/boards.ts";
import { startImport } from "./job/start.ts";
import { TrelloInput } from "./trello/input.ts";

/** Imports boards from Trello's API. */
export const importTrello = externalMutation("import.trello", TrelloInput, { callsOut: true })
  .meta(
    rest("Imports").post(
      "/imports/trello/boards",
      "Import boards from Trello",
      "Starts an import of boards from Trello, which runs in the background: `import.get` " +
        "returns progress and report. Key and token are stored encrypted until the import ends. " +
        "The import waits for Trello's rate limit. Importing the same boards again creates only " +
        "what is missing. Returns 403 if Trello rejects the key or token.",
    ),
  )
  .output(Import)
  .mutation(async ({ ctx, input }) => {
    const { workspacePublicId: _, ...sourceInput } = input;
    await checkCredentials({ apiUrl: ctx.deps.config.TRELLO_API_URL }, sourceInput);
    const ids = [...new Set(sourceInput.boardIds)].toSorted().join();
    const content = `boards ${ids} ${JSON.stringify(sourceInput.include)}`;
    return ctx.transact((tx) => startImport(tx, ctx, "trello", { input: sourceInput, content }));
  });

/**
 * 403 for credentials that Trello rejects. While Trello is unavailable, the import waits for it.
 */
async function checkCredentials(...request: Parameters<typeof listTrelloBoards>) {
  await listTrelloBoards(...request).catch((error: unknown) => {
    if (error instanceof Failure && error.failure !== "FORBIDDEN") return;
    throw error;
  });
}
