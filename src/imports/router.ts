import { router } from "../trpc.ts";
import { cancelImport } from "./cancel.ts";
import { getImport } from "./get.ts";
import { importGitHub } from "./github.ts";
import { listImports } from "./list.ts";
import { importTrello } from "./trello.ts";
import { importTrelloFile } from "./trello-file.ts";
import { trelloBoards } from "./trello-boards.ts";

/** Bringing boards along from elsewhere. */
export const imports = router({
  trelloBoards,
  trello: importTrello,
  trelloFile: importTrelloFile,
  github: importGitHub,
  list: listImports,
  get: getImport,
  cancel: cancelImport,
});
