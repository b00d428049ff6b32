import type { AnyRouter } from "@trpc/server";
import type { Tool } from "../tool.ts";
import { batchTool } from "./batch.ts";
import { boardTools } from "./boards.ts";
import { cardTools } from "./cards.ts";
import { readTools } from "./read.ts";

/** All tools, in the order in which they are listed. */
export function toolsOf(router: AnyRouter): readonly Tool[] {
  const writing = [...cardTools, ...boardTools];
  return [...readTools, ...writing, batchTool(router._def.procedures["workspace.batch"], writing)];
}
