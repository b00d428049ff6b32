import { z } from "zod";
import { LabelNameInput } from "../../contract/fields/shared.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { ColourCode } from "../../contract/vocabulary/texts.ts";
import type { Label } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { rest } from "../../kernel/request/rest.ts";
import { LabelDetail } from "../../contract/resources/labels.ts";
import { showLabel, showLabelDetail } from "../presenters/labels.ts";
import { firstRow } from "../../platform/db/query.ts";

const NewLabel = z.strictObject({ name: LabelNameInput, colourCode: ColourCode });

/** Adds a label to a board. */
export const createLabel = mutation("label.create", NewLabel, {
  onReplay: ({ label, board }) => showLabelDetail(label, board),
})
  .meta(
    rest("Labels").post(
      "/labels",
      "Add a label to a board",
      "Adds a label to a board. Returns 409 if the board has too many labels.",
    ),
  )
  .output(LabelDetail)
  .mutation(async ({ ctx: { board, caller, newId, tx }, input }) => {
    const [, rows] = await Promise.all([
      checkLimit(tx, "labels", board.id),
      tx.query<Label>(sql`INSERT INTO labels ("publicId", "workspaceId", "boardId", name,
          "colourCode", "createdById", "createdAt", "updatedAt")
        VALUES (${newId}, ${board.workspaceId}, ${board.id}, ${input.name},
          ${input.colourCode}, ${caller.userId}, ${tx.now}::timestamptz, ${tx.now}::timestamptz)
        RETURNING *`),
    ]);
    const label = firstRow(rows);
    tx.emit("label.created", { label: showLabel(label), board });
    return showLabelDetail(label, board);
  });
