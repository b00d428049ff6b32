import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { success } from "../../contract/vocabulary/fields.ts";
import { FavouriteBoard } from "../../contract/resources/boards.ts";
import { readSummary } from "./summary.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Adds a board to the caller's favourites, or removes it. */
export const favouriteBoard = mutation(
  "board.favourite",
  z.strictObject({ favourite: z.boolean() }),
)
  .meta(
    rest("Boards").put(
      "/boards/{boardPublicId}/favourite",
      "Set or unset a favourite board",
      "Adds the board to the caller's favourites, which `board.list` lists first, or removes it. " +
        "Only the stream of the user shows it.",
    ),
  )
  .output(FavouriteBoard)
  .mutation(async ({ ctx, input }) => {
    const { board, caller, tx } = ctx;
    const pair = { boardId: board.id, userId: caller.userId };
    const { count } = await (input.favourite
      ? tx.prisma.boardFavourite.createMany({
          data: { ...pair, createdAt: tx.now },
          skipDuplicates: true,
        })
      : tx.prisma.boardFavourite.deleteMany({ where: pair }));
    const type = input.favourite ? "favourite.added" : "favourite.removed";
    const data = { boardPublicId: board.publicId };
    if (count > 0) tx.emitTo(caller.userId, { type, data });
    const show = await readSummary(tx.query, ctx);
    return { ...show(board), ...success };
  });
