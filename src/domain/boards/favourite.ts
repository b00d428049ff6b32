import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { eitherName, oldFlag, sameValue, success } from "../../contract/vocabulary/fields.ts";
import { FavouriteBoard } from "../../contract/resources/boards.ts";
import { readSummary } from "./summary.ts";
import { alsoNamed } from "../../contract/vocabulary/other-names.ts";
import { rest } from "../../kernel/request/rest.ts";

/** Adds a board to the caller's favourites, or removes it. */
export const favouriteBoard = mutation(
  "board.favourite",
  z
    .strictObject({
      isFavourite: alsoNamed(z.boolean().optional(), "favorite").meta({
        description: "Whether the board is a favourite of the caller. Also accepted as `favorite`.",
        examples: [false],
      }),
      favourite: oldFlag("isFavourite"),
    })
    .refine(...eitherName("isFavourite", "favourite"))
    .refine(...sameValue("isFavourite", "favourite")),
)
  .meta(
    rest("Boards").put(
      "/boards/{boardPublicId}/favourite",
      "Add or remove a favourite",
      "Adds a board to the caller's favourites, or removes it. `board.list` returns favourites " +
        "first. Only the caller's own stream reports the change.",
      { bodyFields: { min: 1 } },
    ),
  )
  .output(FavouriteBoard)
  .mutation(async ({ ctx, input }) => {
    const { board, caller, tx } = ctx;
    const isFavourite = input.isFavourite ?? input.favourite;
    const pair = { boardId: board.id, userId: caller.userId };
    const { count } = await (isFavourite
      ? tx.prisma.boardFavourite.createMany({
          data: { ...pair, createdAt: tx.now },
          skipDuplicates: true,
        })
      : tx.prisma.boardFavourite.deleteMany({ where: pair }));
    const type = isFavourite ? "favourite.added" : "favourite.removed";
    const data = { boardPublicId: board.publicId };
    if (count > 0) tx.emitTo(caller.userId, { type, data });
    const show = await readSummary(tx.query, ctx);
    return { ...show(board), ...success };
  });
