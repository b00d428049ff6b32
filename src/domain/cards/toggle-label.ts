import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { notFound } from "../../platform/errors.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";

const Toggle = z.strictObject({ labelPublicId: PublicId });
const Toggled = z.object({ newLabel: z.boolean() }).meta({ id: "ToggledLabel" });

/** Adds a label to a card, or removes it when the card has it. */
export const toggleCardLabel = mutation("card.toggleLabel", Toggle)
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}/labels/{labelPublicId}",
      "Add or remove a card's label",
      "Adds a label of the board to the card, or removes it when the card has it. `newLabel` is " +
        "true when the label was added.",
    ),
  )
  .output(Toggled)
  .mutation(async ({ ctx: { card, list, board, workspace, tx }, input }) => {
    const label = await tx.prisma.label.findFirst({
      where: { publicId: input.labelPublicId, boardId: card.boardId, deletedAt: null },
    });
    if (label === null) throw notFound("label");
    const data = { card, list, board, label };
    const pair = { cardId: card.id, labelId: label.id };
    const { count } = await tx.prisma.cardLabel.deleteMany({ where: pair });
    if (count > 0) {
      tx.emit("card.label_removed", data);
      return { newLabel: false };
    }
    await tx.prisma.cardLabel.create({
      data: { ...pair, workspaceId: workspace.id, createdAt: tx.now },
    });
    tx.emit("card.label_added", data);
    return { newLabel: true };
  });
