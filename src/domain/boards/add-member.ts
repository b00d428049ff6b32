import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { success } from "../../contract/vocabulary/texts.ts";
import { BoardWithMember } from "../../contract/resources/boards.ts";
import { boardSummary } from "./summary.ts";
import { rest } from "../../kernel/request/rest.ts";
import { findMember, addToBoard } from "./membership.ts";
import { showBoard } from "../presenters/boards.ts";
import { withAccessChanges } from "../access-changes.ts";

/** Adds a member to a board. */
export const addBoardMember = mutation(
  "board.addMember",
  z.strictObject({ memberPublicId: inputId("member") }),
)
  .meta(
    rest("Boards").put(
      "/boards/{boardPublicId}/members/{memberPublicId}",
      "Add a member to a board",
      "Adds a member to a board, so that they can see it if it is restricted. On other boards, " +
        "membership has no effect. Adding a member twice changes nothing.",
    ),
  )
  .output(BoardWithMember)
  .mutation(async ({ ctx, input }) => {
    const { board, tx } = ctx;
    const { workspaceId } = board;
    await withAccessChanges(tx, { boardId: board.id }, [workspaceId], async () => {
      // Behind the lock of the workspace: a removal deletes what the member is on.
      const { id, ref } = await findMember(tx, workspaceId, input.memberPublicId);
      if (await addToBoard(tx, board, id)) {
        tx.emit("board.member_added", { board: showBoard(board), member: ref });
      }
    });
    const summary = await boardSummary(tx.query, board, ctx);
    return { ...summary, ...success, memberPublicId: input.memberPublicId };
  });
