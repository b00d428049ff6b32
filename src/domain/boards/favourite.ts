import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { eitherName, oldFlag, sameValue, success } from "../../contract/vocabulary/texts.ts";
import { FavouriteBoard } from "../../contract/resources/boards.ts";
import { boardSummary } from "./summary.ts";
import { alsoNamed } from "../../contract/vocabulary/other-names.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Board } from "../../platform/db/rows.ts";
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
    await setFavourite(ctx, input.isFavourite ?? input.favourite ?? false);
    return { ...(await boardSummary(ctx.tx.query, ctx.board, ctx)), ...success };
  });

type FavouriteChange = {
  board: Pick<Board, "id" | "publicId">;
  caller: Pick<Caller, "userId">;
  tx: UnitOfWork<"favourite.added" | "favourite.removed">;
};

/** Adds a board to the caller's favourites, or removes it; the caller's stream reports a change. */
export async function setFavourite({ board, caller, tx }: FavouriteChange, isFavourite: boolean) {
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
}
