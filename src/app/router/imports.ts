import { router } from "../../kernel/request/trpc.ts";
import { cancelImport } from "../../transfer/imports/cancel.ts";
import { getImport } from "../../domain/imports/get.ts";
import { importGitHub } from "../../transfer/imports/github.ts";
import { importCsv } from "../../transfer/imports/csv.ts";
import { previewCsv } from "../../transfer/imports/csv-preview.ts";
import { importKan } from "../../transfer/imports/kan.ts";
import { importPlanka } from "../../transfer/imports/planka.ts";
import { importPeople } from "../../domain/imports/people.ts";
import { mapImportPeople } from "../../domain/imports/map-people.ts";
import { listImports } from "../../domain/imports/list.ts";
import { readReport } from "../../domain/imports/report.ts";
import { importTrello } from "../../transfer/imports/trello.ts";
import { importTrelloFile } from "../../transfer/imports/trello-file.ts";
import { trelloBoards } from "../../transfer/integrations/trello-boards.ts";

/** Imports from other services. */
export const imports = router({
  trelloBoards,
  trello: importTrello,
  trelloFile: importTrelloFile,
  github: importGitHub,
  planka: importPlanka,
  kan: importKan,
  csv: importCsv,
  csvPreview: previewCsv,
  list: listImports,
  get: getImport,
  cancel: cancelImport,
  report: readReport,
  people: importPeople,
  mapPeople: mapImportPeople,
});
