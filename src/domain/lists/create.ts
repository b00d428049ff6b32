import { z } from "zod";
import { GivenListName } from "../../contract/fields/shared.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { insertPlaced } from "../../kernel/positions.ts";
import { checkLimit } from "../../kernel/limits.ts";
import type { List } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { rest } from "../../kernel/request/rest.ts";
import { indexPlacement, placementOf, singlePlacement } from "../placement.ts";
import { ListRef } from "../../contract/resources/lists.ts";
import { viewList } from "../views/lists.ts";

const NewList = z
  .strictObject({ name: GivenListName, ...indexPlacement })
  .refine(...singlePlacement("List"));

/** Adds a list to a board, at the end unless an index is given. */
export const createList = mutation("list.create", NewList, { again: ({ list }) => list })
  .meta(
    rest("Lists").post(
      "/lists",
      "Add a list to a board",
      "Adds a list at the end of a board, or at `index`. Returns 409 if the board is full.",
    ),
  )
  .output(ListRef)
  .mutation(async ({ ctx: { board, caller, newId, tx }, input }) => {
    await checkLimit(tx, "lists", board.id);
    const values = sql`${newId}, ${board.workspaceId}::bigint, ${board.id}::bigint,
      ${input.name}, ${caller.userId}::bigint, ${tx.now}::timestamptz, ${tx.now}::timestamptz`;
    const list = await insertPlaced<List>(
      tx.query,
      "list",
      board.id,
      placementOf(input) ?? {},
      sql`INSERT INTO lists ("publicId", "workspaceId", "boardId", name, "createdById",
        "createdAt", "updatedAt", position) SELECT ${values}, place.position FROM place`,
    );
    tx.emit("list.created", { list: viewList(list), board, to: { index: list.index } });
    return list;
  });
