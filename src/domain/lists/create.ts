import { z } from "zod";
import { mayWrite } from "../../kernel/procedures.ts";
import { keyFor } from "../../kernel/positions.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { Index, name } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";
import { checkRoom } from "../../kernel/limits.ts";
import { ListRef } from "../../contract/resources/lists.ts";
import { viewList } from "../views/lists.ts";

const NewList = z.strictObject({ name: name(1, 255), index: Index.optional() });

/** Adds a list to a board, at its right-hand end unless told otherwise. */
export const createList = mayWrite("list.create", NewList)
  .meta(
    rest("Lists").post(
      "/lists",
      "Add a list to a board",
      "Adds a list at the right-hand end of a board, or where `index` says.",
    ),
  )
  .output(ListRef)
  .mutation(async ({ ctx: { board, caller, work }, input }) => {
    await checkRoom(work, "lists", board.id);
    const list = await work.tx.list.create({
      data: {
        publicId: publicId(),
        workspaceId: board.workspaceId,
        boardId: board.id,
        name: input.name,
        position: await keyFor(work.query, "list", board.id, { index: input.index }),
        createdById: caller.userId,
        createdAt: work.now,
        updatedAt: work.now,
      },
    });
    work.emit("list.created", { list: viewList(list), board });
    return list;
  });
