import type { Board as BoardRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import { boardFields } from "../../contract/fields/board.ts";
import type { BoardInfo } from "../../contract/resources/boards.ts";
import { showAll } from "../fields.ts";

const show = showAll(boardFields);

/** The view of a board. */
export const viewBoard = (board: BoardRow): z.infer<typeof BoardInfo> => show(board);
