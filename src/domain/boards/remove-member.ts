import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { findMember } from "./membership.ts";
import { showBoard } from "../presenters/boards.ts";
import { withAccessChanges } from "../access-changes.ts";

/** Removes a member from a board. */
export const removeBoardMember = mutation(
  "board.removeMember",
  z.strictObject({ memberPublicId: inputId("member") }),
)
  .meta(
    rest("Boards").delete(
      "/boards/{boardPublicId}/members/{memberPublicId}",
      "Remove a member from a board",
      "Removes a member from a board, so that they cannot see it while it is restricted. " +
        "Assignments to its cards stay, and are visible again when the member is added again. " +
        "Removing a member who is not on the board changes nothing.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { board, tx }, input }) => {
    const { workspaceId } = board;
    const { id, ref } = await findMember(tx, workspaceId, input.memberPublicId, { removed: true });
    await withAccessChanges(tx, { boardId: board.id }, [workspaceId], async () => {
      const where = { boardId: board.id, memberId: id };
      const { count } = await tx.prisma.boardMember.deleteMany({ where });
      if (count > 0) tx.emit("board.member_removed", { board: showBoard(board), member: ref });
    });
    return success;
  });
