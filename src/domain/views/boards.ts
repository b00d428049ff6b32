import type { Board as BoardRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { BoardInfo } from "../../contract/resources/boards.ts";
import { iso } from "../../contract/vocabulary/fields.ts";

/** The view of a board. */
export const viewBoard = (board: BoardRow): z.infer<typeof BoardInfo> => ({
  publicId: board.publicId,
  name: board.name,
  description: board.description,
  slug: board.slug,
  type: board.type,
  visibility: board.visibility,
  isArchived: board.archivedAt !== null,
  version: board.version,
  createdAt: iso(board.createdAt),
  updatedAt: iso(board.updatedAt),
});
