import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { PublicId, Success, success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { memberOf } from "./member-of.ts";
import { viewBoard } from "../views/boards.ts";

/** Adds a member to a board. */
export const addBoardMember = mutation(
  "board.addMember",
  z.strictObject({ memberPublicId: PublicId }),
)
  .meta(
    rest("Boards").put(
      "/boards/{boardPublicId}/members/{memberPublicId}",
      "Add a member to a board",
      "Whoever was added sees the board when it is restricted; on other boards it makes no difference. Adding somebody again changes nothing.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { board, tx }, input }) => {
    const { id, ref } = await memberOf(tx, board.workspaceId, input.memberPublicId);
    const { count } = await tx.prisma.boardMember.createMany({
      data: {
        boardId: board.id,
        memberId: id,
        workspaceId: board.workspaceId,
        createdAt: tx.now,
      },
      skipDuplicates: true,
    });
    if (count > 0) tx.emit("board.member_added", { board: viewBoard(board), member: ref });
    return success;
  });
