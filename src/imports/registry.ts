import type { Sources } from "./sources.ts";
import { trelloFile } from "./trello/run.ts";
import { workspace } from "./workspace/run.ts";

/** Every source by its name. */
export const sources: Sources = { trelloFile, workspace };
