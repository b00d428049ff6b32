import { z } from "zod";
import { ListNameInput } from "../../contract/fields/shared.ts";
import { ListRef } from "../../contract/resources/lists.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { indexPlacement, singlePlacement } from "../placement.ts";
import { showList } from "../presenters/lists.ts";
import { insertList } from "./insert.ts";

const NewList = z
  .strictObject({ name: ListNameInput, ...indexPlacement })
  .refine(...singlePlacement("List"));

/** Adds a list to a board, at the end unless an index is given. */
export const createList = mutation("list.create", NewList, { onReplay: ({ list }) => list })
  .meta(
    rest("Lists").post(
      "/lists",
      "Add a list to a board",
      "Adds a list at the end of a board, or at `index`. Returns 409 if the board is full.",
    ),
  )
  .output(ListRef)
  .mutation(async ({ ctx, input }) => {
    const { board, tx } = ctx;
    const list = await insertList(tx, ctx, input);
    tx.emit("list.created", { list: showList(list), board, to: { index: list.index } });
    return list;
  });
