import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { positionAt } from "../../kernel/positions.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { Index, name } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { ListRef } from "../../contract/resources/lists.ts";
import { indexOf } from "../positions/move.ts";
import { listRepresentation } from "./detail.ts";
import { viewList } from "../views/lists.ts";

const NewList = z.strictObject({ name: name(1, 255), index: Index.optional() });

/** Adds a list to a board, at the end unless an index is given. */
export const createList = mutation("list.create", NewList, listRepresentation)
  .meta(
    rest("Lists").post(
      "/lists",
      "Add a list to a board",
      "Adds a list at the end of a board, or at `index`. 409 when the board has its maximum " +
        "number of lists.",
    ),
  )
  .output(ListRef)
  .mutation(async ({ ctx: { board, caller, created, tx }, input }) => {
    if (created.existing !== null) return created.existing.list;
    await checkLimit(tx, "lists", board.id);
    const list = await tx.prisma.list.create({
      data: {
        publicId: created.publicId,
        workspaceId: board.workspaceId,
        boardId: board.id,
        name: input.name,
        position: await positionAt(tx.query, "list", board.id, { index: input.index }),
        createdById: caller.userId,
        createdAt: tx.now,
        updatedAt: tx.now,
      },
    });
    const index = await indexOf(tx.query, "list", board.id, list);
    tx.emit("list.created", { list: viewList(list), board, to: { index } });
    return list;
  });
