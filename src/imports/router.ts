import { router } from "../trpc.ts";
import { cancelImport } from "./cancel.ts";
import { getImport } from "./get.ts";
import { listImports } from "./list.ts";
import { importTrelloFile } from "./trello-file.ts";
import { trelloBoards } from "./trello-boards.ts";

/** Bringing boards along from elsewhere. */
export const imports = router({
  trelloBoards,
  trelloFile: importTrelloFile,
  list: listImports,
  get: getImport,
  cancel: cancelImport,
});
