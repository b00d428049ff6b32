import { router } from "../trpc.ts";
import { createBoard } from "./create.ts";
import { getBoard } from "./get.ts";

/** Boards of a workspace. */
export const boards = router({ create: createBoard, get: getBoard });
