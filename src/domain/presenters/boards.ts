import type { Board as BoardRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import { boardFields } from "../../contract/fields/board.ts";
import type { BoardInfo } from "../../contract/resources/boards.ts";
import { showAll } from "../declared-fields.ts";

/** Shows a board. */
export const showBoard: (board: BoardRow) => z.infer<typeof BoardInfo> = showAll(boardFields);
