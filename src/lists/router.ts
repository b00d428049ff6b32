import { router } from "../trpc.ts";
import { createList } from "./create.ts";
import { getList } from "./get.ts";

/** Lists of a board. */
export const lists = router({ create: createList, get: getList });
