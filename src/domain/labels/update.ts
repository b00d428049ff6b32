import { z } from "zod";
import { LabelNameInput } from "../../contract/fields/shared.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween } from "../../kernel/events/changes.ts";
import { ColourCode } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { Label } from "../../contract/resources/labels.ts";
import { showLabel } from "../presenters/labels.ts";

const Update = z.strictObject({ name: LabelNameInput, colourCode: ColourCode });

/** Changes the name and colour of a label. */
export const updateLabel = mutation("label.update", Update)
  .meta(
    rest("Labels").put(
      "/labels/{labelPublicId}",
      "Update a label",
      "Changes the name and colour of a label. Both name and colour are required.",
    ),
  )
  .output(Label)
  .mutation(async ({ ctx: { label, board, tx }, input }) => {
    const fields = { name: input.name, colourCode: input.colourCode };
    const changes = changesBetween(showLabel(label), showLabel({ ...label, ...fields }));
    if (Object.keys(changes).length === 0) return label;
    const after = await tx.prisma.label.update({
      where: { id: label.id },
      data: { ...fields, version: { increment: 1 }, updatedAt: tx.now },
    });
    tx.emit("label.updated", { label: showLabel(after), board }, changes);
    return after;
  });
