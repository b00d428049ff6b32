import { router } from "../trpc.ts";
import { trelloBoards } from "./trello-boards.ts";

/** Bringing boards along from elsewhere. */
export const imports = router({ trelloBoards });
