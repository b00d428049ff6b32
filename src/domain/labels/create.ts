import { z } from "zod";
import { mayWrite } from "../../kernel/procedures.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { checkRoom } from "../../kernel/limits.ts";
import { ColourCode, name } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";
import { Label } from "../../contract/resources/labels.ts";
import { viewLabel } from "../views/labels.ts";

const NewLabel = z.strictObject({ name: name(1, 36), colourCode: ColourCode });

/** Adds a label to a board. */
export const createLabel = mayWrite("label.create", NewLabel)
  .meta(
    rest("Labels").post(
      "/labels",
      "Add a label to a board",
      "Adds a label to a board, for its cards to carry.",
    ),
  )
  .output(Label)
  .mutation(async ({ ctx: { board, caller, work }, input }) => {
    await checkRoom(work, "labels", board.id);
    const label = await work.tx.label.create({
      data: {
        publicId: publicId(),
        workspaceId: board.workspaceId,
        boardId: board.id,
        name: input.name,
        colourCode: input.colourCode,
        createdById: caller.userId,
        createdAt: work.now,
        updatedAt: work.now,
      },
    });
    work.emit("label.created", { label: viewLabel(label), board });
    return label;
  });
