import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { Success, success } from "../../contract/vocabulary/fields.ts";
import { writeUserEvent } from "../../kernel/events/user-log.ts";
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
  .output(Success)
  .mutation(async ({ ctx: { board, caller, tx }, input }) => {
    const pair = { boardId: board.id, userId: caller.userId };
    const { count } = await (input.favourite
      ? tx.prisma.boardFavourite.createMany({
          data: { ...pair, createdAt: tx.now },
          skipDuplicates: true,
        })
      : tx.prisma.boardFavourite.deleteMany({ where: pair }));
    const type = input.favourite ? "favourite.added" : "favourite.removed";
    const data = { boardPublicId: board.publicId };
    if (count > 0) await writeUserEvent(tx, caller.userId, { type, data });
    return success;
  });
