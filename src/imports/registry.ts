import type { Sources } from "./sources.ts";
import { trelloFile } from "./trello/run.ts";

/** Every source by its name. */
export const sources: Sources = { trelloFile };
