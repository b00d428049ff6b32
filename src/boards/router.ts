import { router } from "../trpc.ts";
import { boardActivity } from "./activity.ts";
import { addBoardMember } from "./add-member.ts";
import { listBoardCards } from "./cards.ts";
import { checkBoardSlug } from "./check-slug.ts";
import { createBoard } from "./create.ts";
import { deleteBoard } from "./delete.ts";
import { exportBoardCsv } from "./export-csv.ts";
import { favouriteBoard } from "./favourite.ts";
import { getBoardBySlug } from "./get-by-slug.ts";
import { getBoard } from "./get.ts";
import { listBoards } from "./list.ts";
import { listBoardMembers } from "./members.ts";
import { moveBoard } from "./move.ts";
import { removeBoardMember } from "./remove-member.ts";
import { restoreBoard } from "./restore.ts";
import { updateBoard } from "./update.ts";

/** Boards of a workspace. */
export const boards = router({
  list: listBoards,
  get: getBoard,
  getBySlug: getBoardBySlug,
  cards: listBoardCards,
  exportCsv: exportBoardCsv,
  create: createBoard,
  update: updateBoard,
  delete: deleteBoard,
  restore: restoreBoard,
  move: moveBoard,
  favourite: favouriteBoard,
  checkSlugAvailability: checkBoardSlug,
  members: listBoardMembers,
  addMember: addBoardMember,
  removeMember: removeBoardMember,
  activity: boardActivity,
});
