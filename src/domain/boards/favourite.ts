import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { Success, success } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Puts a board among the caller's favourites, or takes it out. */
export const favouriteBoard = mutation(
  "board.favourite",
  z.strictObject({ favourite: z.boolean() }),
)
  .meta(
    rest("Boards").put(
      "/boards/{boardPublicId}/favourite",
      "Make a board a favourite, or not",
      "Puts the board among the caller's favourites, which come first in the list of boards, or takes it out. Nobody else is told.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { board, caller, tx }, input }) => {
    const pair = { boardId: board.id, userId: caller.userId };
    await (input.favourite
      ? tx.prisma.boardFavourite.createMany({
          data: { ...pair, createdAt: tx.now },
          skipDuplicates: true,
        })
      : tx.prisma.boardFavourite.deleteMany({ where: pair }));
    return success;
  });
