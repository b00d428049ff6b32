import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Label } from "../../contract/resources/labels.ts";

/** Lists the labels of a board, by name. */
export const listLabels = query("label.list")
  .meta(
    rest("Labels").get(
      "/boards/{boardPublicId}/labels",
      "List the labels of a board",
      "Returns all labels of a board, sorted by name.",
    ),
  )
  .output(z.array(Label))
  .query(({ ctx: { board, db } }) =>
    db.label.findMany({
      where: { boardId: board.id, deletedAt: null },
      orderBy: [{ name: "asc" }, { id: "asc" }],
      select: { publicId: true, name: true, colourCode: true },
    }),
  );
