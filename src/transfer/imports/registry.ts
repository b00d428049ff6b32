import type { Runner } from "../../kernel/jobs/run.ts";
import { github } from "./github/run.ts";
import { csv } from "./csv/run.ts";
import { kan } from "./kan/run.ts";
import { planka } from "./planka/run.ts";
import { importRunner } from "./job/run.ts";
import { trello, trelloFile } from "./trello/run.ts";
import { workspace } from "./workspace/run.ts";

/** Runs imports from every source. */
export const importJobRunner: Runner = importRunner({
  trello,
  trelloFile,
  github,
  planka,
  kan,
  csv,
  workspace,
});
