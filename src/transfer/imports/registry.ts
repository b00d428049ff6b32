import type { Sources } from "./sources.ts";
import { github } from "./github/run.ts";
import { trello, trelloFile } from "./trello/run.ts";
import { workspace } from "./workspace/run.ts";

/** Every source by its name. */
export const sources: Sources = { trello, trelloFile, github, workspace };
