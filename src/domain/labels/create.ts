import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { ColourCode, name } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { LabelDetail } from "../../contract/resources/labels.ts";
import { viewLabel, viewLabelDetail } from "../views/labels.ts";

const NewLabel = z.strictObject({ name: name(1, 36), colourCode: ColourCode });

/** Adds a label to a board. */
export const createLabel = mutation("label.create", NewLabel)
  .meta(
    rest("Labels").post(
      "/labels",
      "Add a label to a board",
      "Adds a label to a board. 409 when the board has its maximum number of labels.",
    ),
  )
  .output(LabelDetail)
  .mutation(async ({ ctx: { board, caller, created, tx }, input }) => {
    if (created.existing !== null) return viewLabelDetail(created.existing.label, board);
    await checkLimit(tx, "labels", board.id);
    const label = await tx.prisma.label.create({
      data: {
        publicId: created.publicId,
        workspaceId: board.workspaceId,
        boardId: board.id,
        name: input.name,
        colourCode: input.colourCode,
        createdById: caller.userId,
        createdAt: tx.now,
        updatedAt: tx.now,
      },
    });
    tx.emit("label.created", { label: viewLabel(label), board });
    return viewLabelDetail(label, board);
  });
