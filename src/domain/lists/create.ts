import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { gapFor } from "../../kernel/gaps.ts";
import { positionAt } from "../../kernel/positions.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { Index, name } from "../../contract/vocabulary/fields.ts";
import type { Query } from "../../platform/db/query.ts";
import type { List } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { rest } from "../../kernel/request/rest.ts";
import { ListRef } from "../../contract/resources/lists.ts";
import { viewList } from "../views/lists.ts";

const NewList = z.strictObject({ name: name(1, 255), index: Index.optional() });

type Input = z.output<typeof NewList> & { boardPublicId: string };

/** Reads the gap of the placement, behind the lock of the board. */
const readGap = (query: Query, { boardPublicId, index }: Input) =>
  gapFor(query, "list", sql`(SELECT id FROM boards WHERE "publicId" = ${boardPublicId})`, {
    index,
  });

/** Adds a list to a board, at the end unless an index is given. */
export const createList = mutation("list.create", NewList, readGap)
  .meta(
    rest("Lists").post(
      "/lists",
      "Add a list to a board",
      "Adds a list at the end of a board, or at `index`. 409 when the board has its maximum " +
        "number of lists.",
    ),
  )
  .output(ListRef)
  .mutation(async ({ ctx, input: { name: listName, index } }) => {
    const { board, caller, created, tx } = ctx;
    if (created.existing !== null) return created.existing.list;
    const gap = await ctx.early;
    const position = await positionAt(tx.query, "list", board.id, { index }, null, gap);
    const [, [list]] = await Promise.all([
      checkLimit(tx, "lists", board.id),
      tx.query<List>(sql`INSERT INTO lists ("publicId", "workspaceId", "boardId", name, position,
          "createdById", "createdAt", "updatedAt")
        VALUES (${created.publicId}, ${board.workspaceId}, ${board.id}, ${listName}, ${position},
          ${caller.userId}, ${tx.now}::timestamptz, ${tx.now}::timestamptz) RETURNING *`),
    ]);
    if (list === undefined) throw new Error("The insert returned no list.");
    tx.emit("list.created", { list: viewList(list), board, to: { index: Number(gap.index) } });
    return list;
  });
