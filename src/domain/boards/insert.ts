import type { Board } from "../../platform/db/rows.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { conflict } from "../../platform/errors.ts";
import { slugsFor } from "../slugs.ts";

/** What a new board may say of itself. */
type NewBoard = Pick<Board, "name" | "description"> & {
  type?: Board["type"] | undefined;
  visibility?: Board["visibility"] | undefined;
};

/** Writes the row of a new board, under the first free slug that its name gives. */
export async function insertBoard(
  tx: UnitOfWork,
  workspaceId: bigint,
  createdById: bigint,
  input: NewBoard,
): Promise<Board> {
  const { name, description, type = "regular", visibility = "private" } = input;
  for (const slug of slugsFor(name)) {
    const [board] = await tx.prisma.board.createManyAndReturn({
      data: {
        publicId: publicId(),
        workspaceId,
        name,
        description,
        slug,
        type,
        visibility,
        createdById,
        createdAt: tx.now,
        updatedAt: tx.now,
      },
      skipDuplicates: true,
    });
    if (board !== undefined) return board;
  }
  throw conflict("No free slug could be made from the name.", ["name"]);
}
