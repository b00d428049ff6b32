import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { PublicId, Success, success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { memberOf } from "./member-of.ts";
import { viewBoard } from "../views/boards.ts";

/** Takes a member off a board. */
export const removeBoardMember = mutation(
  "board.removeMember",
  z.strictObject({ memberPublicId: PublicId }),
)
  .meta(
    rest("Boards").delete(
      "/boards/{boardPublicId}/members/{memberPublicId}",
      "Take a member off a board",
      "A restricted board, and all that is on it, is hidden from them from then on. They stay on its cards, for when they are added again. Taking off somebody who is not on it changes nothing.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { board, tx }, input }) => {
    const { workspaceId } = board;
    const { id, ref } = await memberOf(tx, workspaceId, input.memberPublicId, { removed: true });
    const { count } = await tx.prisma.boardMember.deleteMany({
      where: { boardId: board.id, memberId: id },
    });
    if (count > 0) tx.emit("board.member_removed", { board: viewBoard(board), member: ref });
    return success;
  });
