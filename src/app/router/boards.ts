import { router } from "../../kernel/request/trpc.ts";
import { boardActivity } from "../../domain/boards/activity.ts";
import { addBoardMember } from "../../domain/boards/add-member.ts";
import { listBoardCards, queryBoardCards } from "../../domain/boards/cards.ts";
import { checkBoardSlug } from "../../domain/boards/check-slug.ts";
import { createBoard } from "../../domain/boards/create.ts";
import { deleteBoard } from "../../domain/boards/delete.ts";
import { exportBoardCsv } from "../../transfer/exports/board-csv.ts";
import { favouriteBoard } from "../../domain/boards/favourite.ts";
import { getBoardBySlug } from "../../domain/boards/get-by-slug.ts";
import { getBoard } from "../../domain/boards/get.ts";
import { listBoards } from "../../domain/boards/list.ts";
import { listBoardMembers } from "../../domain/boards/members.ts";
import { moveBoard } from "../../domain/boards/move.ts";
import { removeBoardMember } from "../../domain/boards/remove-member.ts";
import { restoreBoard } from "../../domain/boards/restore.ts";
import { updateBoard } from "../../domain/boards/update.ts";

/** Boards of a workspace. */
export const boards = router({
  list: listBoards,
  get: getBoard,
  getBySlug: getBoardBySlug,
  cards: listBoardCards,
  queryCards: queryBoardCards,
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
