import { z } from "zod";
import { givenId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { success } from "../../contract/vocabulary/fields.ts";
import { BoardWithMember } from "../../contract/resources/boards.ts";
import { readSummary } from "./summary.ts";
import { rest } from "../../kernel/request/rest.ts";
import { findMember, addToBoard } from "./membership.ts";
import { showBoard } from "../shown/boards.ts";
import { withAccessChanges } from "../access-changes.ts";

/** Adds a member to a board. */
export const addBoardMember = mutation(
  "board.addMember",
  z.strictObject({ memberPublicId: givenId("member") }),
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
    const reading = readSummary(tx.query, ctx);
    await withAccessChanges(tx, { boardId: board.id }, [workspaceId], async () => {
      // Behind the lock of the workspace: a removal deletes what the member is on.
      const { id, ref } = await findMember(tx, workspaceId, input.memberPublicId);
      if (await addToBoard(tx, board, id)) {
        tx.emit("board.member_added", { board: showBoard(board), member: ref });
      }
    });
    return { ...(await reading)(board), ...success, memberPublicId: input.memberPublicId };
  });
